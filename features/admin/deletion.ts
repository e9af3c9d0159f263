import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import {
  cancelAccountDeletion,
  readAccountDeletionRequestsByAccountId,
  requestAccountDeletion,
} from '#features/account/deletion.ts'
import type { KeepOrDeleteMessages } from '#features/account/deletion-contract.ts'
import { enqueueAccountDeletionMail } from '#features/account/deletion-mails.ts'
import {
  type SuspensionContext,
  suspendMemberUntilDeletion,
  unsuspendMemberAfterCancelledDeletion,
} from '#features/people/admins.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { changeAndReadManagedAccount } from './model.ts'

/**
 * Suspends a member and requests the deletion of the account. Throws 403 for one's own account and for
 * admins, and 422 if the deletion is requested already. Mails are in the language of the member; if it is
 * unknown, they are in `lang`, the language of the admin.
 */
export async function suspendMemberAndRequestDeletion(
  context: MemberContext,
  { id, messages }: { id: number; messages: KeepOrDeleteMessages },
  lang: Language,
) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'Delete your own account on the page “Account”.',
      ja: '自分のアカウントは「アカウント」ページで削除してください。',
    })
  return changeAndReadManagedAccount(context, id, async (tx, { admin }) => {
    requireNotAdminToDelete(admin)
    await suspendAndRequestDeletion(context, tx, { user_id: id, messages, requested_by: context.me.id, lang })
  })
}

/** Throws 403 for an admin, whose account neither another admin nor the operator can delete. */
export function requireNotAdminToDelete(admin: unknown) {
  if (admin)
    throw new HttpError(403, {
      en: 'Admins cannot be deleted. Remove their admin rights first.',
      ja: '管理者は削除できません。先に管理者の権限を外してください。',
    })
}

/**
 * Suspends a member and requests the deletion of the account, for an admin or the operator. Returns the
 * request. Throws 422 if the deletion is requested already.
 */
export async function suspendAndRequestDeletion(
  context: SuspensionContext & Parameters<typeof requestAccountDeletion>[0],
  tx: Tx,
  request: Parameters<typeof requestAccountDeletion>[2],
) {
  const { user_id, requested_by } = request
  const lang = await readMemberLanguage(tx, user_id, request.lang)
  const deletion = await requestAccountDeletion(context, tx, { ...request, lang })
  // Adds this suspension even if the member is suspended already, because the earlier suspension may end
  // before the deletion.
  await suspendMemberUntilDeletion(context, tx, user_id, requested_by)
  return deletion
}

/**
 * Cancels a deletion that an admin has requested, and tells the member by mail. Ends the suspension that was
 * made for the deletion. A suspension that was decided separately continues until its own end. Throws 403 if
 * the member has requested the deletion.
 */
export const cancelAdminRequestedAccountDeletion = (context: MemberContext, id: number) =>
  changeAndReadManagedAccount(context, id, async (tx) => {
    const isOwnRequest = (await readAccountDeletionRequestsByAccountId(tx, [id])).get(id)?.by_admin === false
    if (isOwnRequest)
      throw new HttpError(403, {
        en: 'The member has requested the deletion. Only they can take it back.',
        ja: '本人が削除を申請しています。取り消せるのは本人だけです。',
      })
    const deletion = await cancelAccountDeletion(tx, id, context.me.id)
    if (!deletion) return
    await unsuspendMemberAfterCancelledDeletion(context, tx, id)
    const recipient = await readNameHandleEmailAndVerifiedTime(tx, id)
    await enqueueAccountDeletionMail(context, tx, { ...deletion, user_id: id, recipient, kind: 'kept' })
  })
