// A process in which one command after another runs, each with an environment, an input and outputs of its own: most of what a command
// costs is a new process that loads the code. Plain JavaScript, as `bin/atelier.mjs` is, and begins as that does.
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { setEnvironmentData } from 'node:worker_threads';
import { bundleOfCode } from '../../bin/bundle.mjs';
import { loaderOf } from '../../bin/load.mjs';

const bundle = bundleOfCode();
setEnvironmentData('bundle', bundle);
const load = loaderOf(bundle, 'command');
const { main } = await load('main');

/** What a command says, which it takes for a stream of its process. */
class Said extends Writable {
  text = '';

  _write(part, _encoding, done) {
    this.text += part.toString('utf8');
    done();
  }
}

const endProcess = process.exit;
/** Ends the command, as it would its process: nothing behind it is done any more. */
let endCommand;
process.exit = (code) => {
  endCommand(code);
  throw new Error('The command has ended.');
};

const replace = (name, stream) =>
  Object.defineProperty(process, name, { configurable: true, value: stream })[name];

function takeEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** What would keep a process from ending. */
const awake = () => process.getActiveResourcesInfo().sort().join();
let asleep;

/** As a process does, a command ends when nothing keeps it awake. */
async function untilAsleep() {
  while (awake() !== asleep) await pause(2, undefined, { ref: false });
}

/** What a command leaves behind would end with its process: soon this one has forgotten it, or is of no more use. */
async function isSpent() {
  for (let looks = 0; looks < 100 && awake() !== asleep; looks++) await pause(2, undefined, { ref: false });
  return awake() !== asleep;
}

async function run({ environment, args, input }) {
  asleep ??= awake();
  takeEnvironment(environment);
  replace('stdin', Readable.from(input === '' ? [] : [Buffer.from(input)]));
  const [stdout, stderr] = [replace('stdout', new Said()), replace('stderr', new Said())];
  const code = await new Promise((resolve, reject) => {
    endCommand = (given) => resolve(given ?? process.exitCode ?? 0);
    main(args)
      .then(untilAsleep)
      .then(() => endCommand())
      .catch(reject);
  });
  process.exitCode = undefined;
  return { code, stdout: stdout.text, stderr: stderr.text };
}

process.on('message', async (order) => {
  try {
    process.send({ ...(await run(order)), isSpent: await isSpent() });
  } catch (error) {
    process.send({ fault: error.stack ?? String(error) });
  }
});
// Nobody is left who would want a command.
process.on('disconnect', () => endProcess(0));
process.send({});
