import sharp from 'sharp';

/*
 * Makes one picture small, from standard input to standard output, and ends. In a process of its own, so that a picture
 * made to harm the decoder harms nobody else, and the memory it took goes with it.
 */

/** Pictures fit into this, with their proportions. */
const frame = { width: 150, height: 112 };
/** Width times height at the most. A few bytes can claim to be a picture of any size. */
const mostPixels = 50_000_000;
/** The exit code that says that these bytes make no picture. */
const noPicture = 3;

const loaders = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: loaders });
sharp.cache(false);
sharp.concurrency(1);

async function makeSmall(bytes: Buffer): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true });
  const { format } = await picture.metadata();
  const small = picture.autoOrient().resize({ ...frame, fit: 'inside', withoutEnlargement: true });
  return small.toFormat(format).toBuffer();
}

try {
  const small = await makeSmall(Buffer.concat(await process.stdin.toArray()));
  process.stdout.end(small);
} catch {
  process.exitCode = noPicture;
}
