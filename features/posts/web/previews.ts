import { kindOf } from '#core/media/file-types.ts'
import { maxPictures } from './limits.ts'
import type { PickedPicture } from './prepare-pictures.ts'

/** In ms, also for a slow download of the code, and for those before it. */
const MAX_WAIT = 20_000

/** One after the other: each may take much memory. */
let queue: Promise<unknown> = Promise.resolve()

const drawn = new WeakMap<File, Promise<File | null>>()

/** Null if it cannot be drawn. The first call for a file begins to draw. */
export function previewOf(file: File): Promise<File | null> {
  const kind = kindOf(file.name)
  if (maxPictures === 0 || (kind !== 'pdf' && kind !== 'video')) return Promise.resolve(null)
  const known = drawn.get(file)
  if (known) return known
  const { promise: isLate, resolve } = Promise.withResolvers<null>()
  setTimeout(resolve, MAX_WAIT, null)
  const picture = queue.then(() => draw(file, kind)).catch(() => null)
  const first = Promise.race([picture, isLate])
  queue = first
  drawn.set(file, first)
  return first
}

const draw = async (file: File, kind: 'pdf' | 'video') =>
  kind === 'pdf'
    ? (await import('./draw-pdf.ts')).drawFirstPage(file)
    : (await import('./draw-video.ts')).drawMoment(file)

/** Adds the files, with drawn previews of PDFs and videos, to the form of a post, reply or message. */
export async function appendFiles(form: FormData, files: readonly Pick<PickedPicture, 'file'>[]) {
  const previews = await Promise.all(files.map(({ file }) => previewOf(file)))
  for (const [index, { file }] of files.entries()) {
    form.append('files[]', file, file.name)
    const preview = previews[index]
    if (!preview) continue
    form.append('previews[]', preview, preview.name)
    form.append('preview_of[]', String(index + 1))
  }
}
