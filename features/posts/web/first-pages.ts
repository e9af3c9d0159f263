import { extensionOf } from '#core/media/file-types.ts'
import { maxPictures } from './limits.ts'
import type { PickedPicture } from './prepare-pictures.ts'

/** In ms, also for a slow download of the code, and for those before it. */
const MAX_WAIT = 20_000

/** One after the other: each may take much memory. */
let queue: Promise<unknown> = Promise.resolve()

const drawn = new WeakMap<File, Promise<File | null>>()

/** Null if it cannot be drawn. The first call for a file begins to draw. */
export function firstPageOf(file: File): Promise<File | null> {
  if (maxPictures === 0 || extensionOf(file.name) !== 'pdf') return Promise.resolve(null)
  const known = drawn.get(file)
  if (known) return known
  const { promise: isLate, resolve } = Promise.withResolvers<null>()
  setTimeout(resolve, MAX_WAIT, null)
  const page = queue
    .then(() => import('./draw-pdf.ts'))
    .then((module) => module.drawFirstPage(file))
    .catch(() => null)
  const first = Promise.race([page, isLate])
  queue = first
  drawn.set(file, first)
  return first
}

/** Adds the files and the first pages of PDFs, which it draws, to the form of a post, reply or message. */
export async function appendFiles(form: FormData, files: readonly Pick<PickedPicture, 'file'>[]) {
  const pages = await Promise.all(files.map(({ file }) => firstPageOf(file)))
  for (const [index, { file }] of files.entries()) {
    form.append('files[]', file, file.name)
    const page = pages[index]
    if (!page) continue
    form.append('previews[]', page, page.name)
    form.append('preview_of[]', String(index + 1))
  }
}
