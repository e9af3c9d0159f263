import type { AppContext } from '#core/context.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { toBilingualValidationMessage } from '#core/i18n.ts'
import { countCodePoints } from '#core/unicode.ts'

// These functions check the limits that the settings of the community set. These limits are never higher than
// the limits in the contracts. The limit of the length applies to new and edited posts and replies, and the
// limit of the pictures to new posts, replies and messages.

/**
 * Throws 422 if the text of a post or reply is longer than the settings of the community allow. `field` is
 * the name of the input field with the text.
 */
export function requirePostOrReplyNotTooLong(
  { settings }: Pick<AppContext, 'settings'>,
  body: string | null,
  field: string,
) {
  const { max_post_length } = settings.current()
  if (body && countCodePoints(body) > max_post_length)
    throw createInvalidFieldError(field, toBilingualValidationMessage(`max:${max_post_length}`, field))
}

/** Throws 422 if a new post, reply or message has more pictures than the settings of the community allow. */
export function requireAllowedPictureCount({ settings }: Pick<AppContext, 'settings'>, count: number) {
  const { max_pictures } = settings.current()
  if (count > max_pictures)
    throw createInvalidFieldError('images', createTooManyPicturesMessage(max_pictures))
}

const createTooManyPicturesMessage = (max: number) =>
  max
    ? {
        en: `A post, reply or message can have at most ${max} ${max === 1 ? 'picture' : 'pictures'}.`,
        ja: `1件の投稿・返信・メッセージの画像は${max}枚までです。`,
      }
    : {
        en: 'Pictures are turned off in this community.',
        ja: 'このコミュニティーでは画像を送れません。',
      }
