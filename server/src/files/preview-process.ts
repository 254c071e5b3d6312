import sharp from 'sharp';

/*
 * Makes one picture small, from standard input to standard output, and ends. In a process of its own, so that a picture
 * made to harm the decoder harms nobody else, and the memory it took goes with it.
 */

/** Previews fit into this, with their proportions. */
const frame = { width: 150, height: 112 };
/** Pictures of people are cropped to a square of this width. */
const faceWidth = 256;
/** Width times height at the most. A few bytes can claim to be a picture of any size. */
const mostPixels = 50_000_000;
/** The exit code that says that these bytes make no picture. */
const noPicture = 3;

const isFace = process.argv[2] === 'face';
const formats = isFace ? ['Png', 'Jpeg', 'Webp'] : ['Png', 'Jpeg', 'Nsgif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}Buffer`) });
sharp.cache(false);
sharp.concurrency(1);

async function makeSmall(bytes: Buffer): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true });
  if (isFace)
    return picture
      .autoOrient()
      .resize({ width: faceWidth, height: faceWidth, fit: 'cover' })
      .png()
      .toBuffer();
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
