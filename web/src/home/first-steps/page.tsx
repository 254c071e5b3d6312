import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { goToTourStep, Page, useDemo } from '../../shell/index.ts';
import { knownPreference, setPreference, useAbout, useStanding } from '../../store/index.ts';
import { Button, Icon, Key, LinkButton } from '../../ui/index.ts';
import styles from './first-steps.module.css';
import { Invite } from './invite.tsx';

const preference = 'web.onboarding';
/** The value of the preference of somebody who has seen them: they never come again unasked. */
const over = 'over';

type StepName = 'demo' | 'project' | 'people' | 'key' | 'care' | 'here' | 'keys' | 'projects';

/** `demo+,key-`: a sign for each step that was done or skipped. */
function readSteps(text: string | undefined): ReadonlyMap<string, 'done' | 'skipped'> {
  const marks = (text ?? '').split(',').filter((mark) => /^\w+[+-]$/.test(mark));
  return new Map(marks.map((mark) => [mark.slice(0, -1), mark.endsWith('+') ? 'done' : 'skipped']));
}

function useSteps() {
  const { preferences } = useStanding();
  const marks = readSteps(preferences[preference]);
  const mark = (name: StepName, state: 'done' | 'skipped') => {
    // As they are now: what is waited for ends in a later moment than it was begun in.
    const next = new Map(readSteps(knownPreference(preference))).set(name, state);
    void setPreference(
      preference,
      [...next].map(([step, is]) => `${step}${is === 'done' ? '+' : '-'}`).join(','),
    );
  };
  return { marks, mark };
}

interface StepProps {
  readonly name: StepName;
  readonly words: string;
  /** Where its act leads; a step without one is done by reading it, or has an act of its own. */
  readonly to?: string | undefined;
  readonly act?: string | undefined;
  /** What its act does, where it is more than to have read it. */
  readonly onAct?: (() => void) | undefined;
  readonly children?: ReactNode;
}

function Step({ name, words, to, act, onAct, children }: StepProps) {
  const { welcome } = useMessages();
  const { marks, mark } = useSteps();
  const state = marks.get(name);
  const done = () => mark(name, 'done');
  const title = welcome.steps[name].name;
  return (
    <li className={styles['step']} aria-label={title}>
      <span className={styles['mark']} data-state={state}>
        {state === 'done' && <Icon name="check" size={14} />}
        {state === 'skipped' && <Icon name="minus" size={14} />}
      </span>
      <div className={styles['content']}>
        <h2 className={styles['name']}>
          {title}
          {state !== undefined && (
            <span className={styles['state']}>{state === 'done' ? welcome.done : welcome.skipped}</span>
          )}
        </h2>
        <p className={styles['words']}>{words}</p>
        {children}
        <div className={styles['acts']}>
          {to !== undefined && act !== undefined && (
            <LinkButton href={to} onPress={done}>
              {act}
            </LinkButton>
          )}
          {to === undefined && act !== undefined && <Button onPress={onAct ?? done}>{act}</Button>}
          {state === undefined && (
            <Button
              kind="quiet"
              aria-label={`${welcome.skip}: ${title}`}
              onPress={() => mark(name, 'skipped')}
            >
              {welcome.skip}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

function DemoStep() {
  const { demo } = useMessages().welcome.steps;
  const project = useDemo();
  const { mark } = useSteps();
  if (project === undefined) return null;
  return (
    <Step
      name="demo"
      words={demo.words(project.label_without_icon)}
      act={demo.act}
      onAct={() => {
        mark('demo', 'done');
        goToTourStep(1);
      }}
    />
  );
}

function PeopleStep() {
  const { people } = useMessages().welcome.steps;
  const { mark } = useSteps();
  const [isOpen, setOpen] = useState(false);
  return (
    <Step
      name="people"
      words={people.words}
      {...(isOpen ? {} : { act: people.act, onAct: () => setOpen(true) })}
    >
      {isOpen && <Invite onInvited={() => mark('people', 'done')} />}
    </Step>
  );
}

function CareStep() {
  const { welcome } = useMessages();
  const hasMail = useAbout()?.has_mail === true;
  const { care } = welcome.steps;
  return (
    <Step name="care" words={care.words} act={care.act}>
      <ul className={styles['facts']}>
        <li>
          <Icon name={hasMail ? 'check' : 'alert-triangle'} size={14} />
          {hasMail ? welcome.mailOn : welcome.mailOff}
        </li>
        <li>
          <Icon name="archive" size={14} />
          <span>
            {welcome.backup} <code>atelier backup</code> {welcome.backupEnd}
          </span>
        </li>
      </ul>
    </Step>
  );
}

function OfAdministrator() {
  const { steps } = useMessages().welcome;
  return (
    <>
      <DemoStep />
      <Step name="project" words={steps.project.words} to="/projects/new" act={steps.project.act} />
      <PeopleStep />
      <Step name="key" words={steps.key.words} to="/account/keys" act={steps.key.act} />
      <CareStep />
    </>
  );
}

function OfEverybody() {
  const { welcome } = useMessages();
  const { steps, threeKeys } = welcome;
  const { memberships } = useStanding();
  return (
    <>
      <Step name="here" words={steps.here.words} act={steps.here.act} />
      <Step name="keys" words={steps.keys.words} act={steps.keys.act}>
        <ul className={styles['facts']}>
          <li>
            <Key keys="Mod k" /> {threeKeys.palette}
          </li>
          <li>
            <Key keys="c" /> {threeKeys.create}
          </li>
          <li>
            <Key keys="?" /> {threeKeys.keys}
          </li>
        </ul>
      </Step>
      <Step
        name="projects"
        words={memberships.length === 0 ? steps.projects.none : steps.projects.words}
        to="/projects"
        act={steps.projects.act}
      >
        <ul className={styles['facts']}>
          {memberships.slice(0, 5).map(({ project }) => (
            <li key={project.id}>
              <LinkButton kind="quiet" href={`/projects/${project.shortname}`}>
                {project.label_without_icon}
              </LinkButton>
            </li>
          ))}
        </ul>
      </Step>
    </>
  );
}

/** What somebody sees after signing in for the first time, and in the help later on. */
export function FirstStepsPage() {
  const { welcome } = useMessages();
  const { user, is_site_administrator: isAdministrator } = useStanding();
  const navigate = useNavigate();
  const name = user?.real_name ?? user?.display_name ?? '';
  const goOn = async () => {
    await setPreference(preference, over);
    await navigate({ to: '/' });
  };
  return (
    <Page title={welcome.title} crumbs={[{ name: welcome.title }]} hasOwnHeading>
      <div className={styles['steps']}>
        <h1 className={styles['title']}>{welcome.hello(name)}</h1>
        <p className={styles['words']}>{isAdministrator ? welcome.adminWords : welcome.words}</p>
        <ol>{isAdministrator ? <OfAdministrator /> : <OfEverybody />}</ol>
        <Button kind="primary" icon="arrow-right" onPress={goOn}>
          {welcome.goOn}
        </Button>
      </div>
    </Page>
  );
}
