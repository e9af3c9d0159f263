import type { Language } from '#core/contract.ts'
import { checkFiles } from './check-files.ts'
import type { postComposerText } from './composer-text.ts'
import { firstPageOf } from './first-pages.ts'
import { looksLikePicture, type PickedPicture, preparePictures } from './prepare-pictures.ts'

/** Resolves with warnings for those that are refused. Begins to draw the first pages of PDFs. */
export async function chooseFiles(
  given: readonly File[],
  before: Record<'pictures' | 'files', readonly PickedPicture[]>,
  t: (typeof postComposerText)['en'],
  lang: Language,
) {
  const others = given.filter((file) => !looksLikePicture(file))
  const checked = checkFiles(others, before.files.length, lang)
  for (const { file } of checked.picked) void firstPageOf(file)
  const pictures = await preparePictures(given.filter(looksLikePicture), before.pictures.length, t)
  return {
    picked: pictures.picked,
    files: checked.picked,
    warnings: [...pictures.warnings, ...checked.warnings],
  }
}
