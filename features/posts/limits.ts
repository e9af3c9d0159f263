import type { AppContext } from '#core/context.ts'
import { fieldError } from '#core/http/errors.ts'
import { validationMessage } from '#core/text/i18n.ts'
import { countCodePoints } from '#core/text/unicode.ts'

// The settings of the community are never higher than the limits in the contracts.

/** 422 for a new or edited post or reply. `field` is the input field with the text. */
export function requireLength(
  { settings }: Pick<AppContext, 'settings'>,
  body: string | null,
  field: string,
) {
  const { max_post_length } = settings.current()
  if (body && countCodePoints(body) > max_post_length)
    throw fieldError(field, validationMessage(`max:${max_post_length}`, field))
}

/** 422 for a new post, reply or message. */
export function requirePictures({ settings }: Pick<AppContext, 'settings'>, count: number) {
  const { max_pictures } = settings.current()
  if (count > max_pictures) throw fieldError('images', tooManyPictures(max_pictures))
}

const tooManyPictures = (max: number) =>
  max
    ? {
        en: `A post, reply or message can have at most ${max} ${max === 1 ? 'picture' : 'pictures'}.`,
        ja: `1件の投稿・返信・メッセージの画像は${max}枚までです。`,
      }
    : {
        en: 'Pictures are turned off in this community.',
        ja: 'このコミュニティーでは画像を送れません。',
      }
