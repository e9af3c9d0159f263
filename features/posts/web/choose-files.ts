import type { Language } from '#core/contract.ts'
import type { postComposerText } from './composer-text.ts'
import { pickFiles } from './pick-files.ts'
import { looksLikePicture, type PickedPicture, preparePictures } from './prepare-pictures.ts'

/** Resolves with warnings for those that are refused. */
export async function chooseFiles(
  given: readonly File[],
  before: Record<'pictures' | 'files', readonly PickedPicture[]>,
  t: (typeof postComposerText)['en'],
  lang: Language,
) {
  const others = given.filter((file) => !looksLikePicture(file))
  const checked = await pickFiles(others, before.files.length, lang)
  const pictures = await preparePictures(given.filter(looksLikePicture), before.pictures.length, t)
  return {
    picked: pictures.picked,
    files: checked.picked,
    warnings: [...pictures.warnings, ...checked.warnings],
  }
}
