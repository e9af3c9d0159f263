import { extensionOf } from '#core/media/file-types.ts'
import { maxPictures } from './limits.ts'
import type { PickedPicture } from './prepare-pictures.ts'

/** In ms, also for a slow download of the code. */
const MAX_WAIT = 20_000

const drawn = new WeakMap<File, Promise<File | null>>()

/** Null if it cannot be drawn. The first call for a file begins to draw. */
export function firstPageOf(file: File): Promise<File | null> {
  if (maxPictures === 0 || extensionOf(file.name) !== 'pdf') return Promise.resolve(null)
  const known = drawn.get(file)
  if (known) return known
  const { promise: isLate, resolve } = Promise.withResolvers<null>()
  setTimeout(resolve, MAX_WAIT, null)
  const page = import('./draw-pdf.ts').then((module) => module.drawFirstPage(file)).catch(() => null)
  drawn.set(file, Promise.race([page, isLate]))
  return drawn.get(file)!
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
