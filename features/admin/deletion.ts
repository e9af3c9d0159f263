import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'
import { cancelDeletion, readDeletions, requestDeletion } from '#features/account/deletion.ts'
import type { MessageChoice } from '#features/account/deletion-contract.ts'
import { enqueueDeletionMail } from '#features/account/deletion-mails.ts'
import { suspendMember, unsuspendMember } from '#features/people/admins.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readMailRecipient } from '#features/people/read.ts'
import { changeAccount } from './model.ts'

/**
 * Suspends a member, and requests the deletion of the account. Throws 403 for one's own account and for
 * admins, and 422 if the deletion is requested already. The mails have the member's language; `lang` is that
 * of the admin, for a member whose language is unknown.
 */
export async function requestMemberDeletion(
  context: MemberContext,
  { id, messages }: { id: number; messages: MessageChoice },
  lang: Language,
) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'Delete your own account on the page “Account”.',
      ja: '自分のアカウントは「アカウント」ページで削除してください。',
    })
  return changeAccount(context, id, async (tx, { admin, suspended_at }) => {
    if (admin)
      throw new HttpError(403, {
        en: 'Admins cannot be deleted. Remove their admin rights first.',
        ja: '管理者は削除できません。先に管理者の権限を外してください。',
      })
    const memberLang = await readMemberLanguage(tx, id, lang)
    const request = { user_id: id, messages, requested_by: context.me.id, lang: memberLang }
    await requestDeletion(context, tx, request)
    if (!suspended_at) await suspendMember(context, tx, id, context.me.id)
  })
}

/**
 * Takes back a deletion that an admin has requested, and tells the member by mail. Lifts the suspension,
 * unless the member was suspended before. Throws 403 if the member has requested the deletion.
 */
export const cancelMemberDeletion = (context: MemberContext, id: number) =>
  changeAccount(context, id, async (tx, { suspended_at }) => {
    const isOwnRequest = (await readDeletions(tx, [id])).get(id)?.by_admin === false
    if (isOwnRequest)
      throw new HttpError(403, {
        en: 'The member has requested the deletion. Only they can take it back.',
        ja: '本人が削除を申請しています。取り消せるのは本人だけです。',
      })
    const deletion = await cancelDeletion(tx, id, context.me.id)
    if (!deletion) return
    if (suspended_at && suspended_at >= deletion.created_at) await unsuspendMember(context, tx, id)
    const recipient = await readMailRecipient(tx, id)
    await enqueueDeletionMail(context, tx, { ...deletion, user_id: id, recipient, kind: 'kept' })
  })
