import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MessagesChoice } from '#features/account/contract.ts'
import * as accountDeletions from '#features/account/deletion.ts'
import { sendDeletionMail } from '#features/account/deletion-mails.ts'
import { type SuspendContext, suspendForDeletion, unsuspendKept } from '#features/people/admins.ts'
import { languageOf } from '#features/people/languages.ts'
import * as people from '#features/people/read.ts'
import * as model from './model.ts'

/** 403 for oneself and for admins, 422 if requested already. `lang` is for members whose own is unknown. */
export async function removeMember(
  context: MemberContext,
  { id, messages }: { id: number; messages: MessagesChoice },
  lang: Language,
) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'Delete your own account on the page “Account”.',
      ja: '自分のアカウントは「アカウント」ページで削除してください。',
    })
  return model.changeAccount(context, id, async (tx, { admin }) => {
    requireDeletable(admin)
    await requestDeletion(context, tx, { user_id: id, messages, requested_by: context.me.id, lang })
  })
}

/** 403: neither another admin nor the operator can delete an admin. */
export function requireDeletable(admin: unknown) {
  if (admin)
    throw new HttpError(403, {
      en: 'Admins cannot be deleted. Remove their admin rights first.',
      ja: '管理者は削除できません。先に管理者の権限を外してください。',
    })
}

/** For an admin or the operator. 422 if the deletion is requested already. */
export async function requestDeletion(
  context: SuspendContext & Parameters<typeof accountDeletions.request>[0],
  tx: Tx,
  request: Parameters<typeof accountDeletions.request>[2],
) {
  const { user_id, requested_by } = request
  const lang = await languageOf(tx, user_id, request.lang)
  const deletion = await accountDeletions.request(context, tx, { ...request, lang })
  // Even if the member is suspended already: that suspension may end before the deletion.
  await suspendForDeletion(context, tx, user_id, requested_by)
  return deletion
}

/** Mails the member. A suspension that was decided separately goes on. 403 if the member asked for it. */
export const cancelDeletion = (context: MemberContext, id: number) =>
  model.changeAccount(context, id, async (tx) => {
    const isOwnRequest = (await accountDeletions.byAccount(tx, [id])).get(id)?.by_admin === false
    if (isOwnRequest)
      throw new HttpError(403, {
        en: 'The member has requested the deletion. Only they can take it back.',
        ja: '本人が削除の手続きをしています。取り消せるのは、本人だけです。',
      })
    const deletion = await accountDeletions.cancel(tx, id, context.me.id)
    if (!deletion) return
    await unsuspendKept(context, tx, id)
    const recipient = await people.findRecipient(tx, id)
    await sendDeletionMail(context, tx, { ...deletion, user_id: id, recipient, kind: 'kept' })
  })
