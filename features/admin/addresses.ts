import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { markAllVerified } from '#features/people/credentials.ts'

/** For a server that sends no mail, so that nobody gets a link. 422 with SMTP_URL. */
export function verifyAddresses({ db, me, config }: MemberContext) {
  if (config.SMTP_URL)
    throw new HttpError(422, {
      en: 'This server sends mail, so members verify their addresses themselves.',
      ja: 'メールを送れるサーバーなので、アドレスはメンバー本人が確認します。',
    })
  return transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    const addresses = await markAllVerified(tx, me.id)
    const entry = { action: 'addresses_verified', subject: 'settings', actor_id: me.id } as const
    if (addresses) await auditLog.record(tx, { ...entry, detail: { addresses } })
    return { addresses }
  })
}
