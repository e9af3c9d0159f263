import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { MEGABYTE } from '#core/media/media.ts'

/**
 * Throws 422 if the attached pictures and files of a member have more bytes together than
 * `max_member_storage_mb` allows. The caller has attached the new ones, and detached those that they
 * replace, in the same transaction. The lock makes concurrent uploads of a member to several processes
 * count each other's bytes.
 */
export async function requireMemberWithinStorageQuota(
  { settings }: Pick<AppContext, 'settings'>,
  tx: Tx,
  member: number,
  field: 'image' | 'images' | 'files',
) {
  const maxMb = settings.current().max_member_storage_mb
  if (!maxMb) return
  await acquireNamedTransactionLock(tx, `storage ${member}`)
  if ((await sumStoredBytes(tx, member)) > maxMb * MEGABYTE) throw createQuotaError(field, maxMb)
}

/** Returns the bytes of all attached pictures and files of a member. */
export async function sumStoredBytes(db: Db, member: number) {
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where('owner_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

const createQuotaError = (field: string, maxMb: number) =>
  createInvalidFieldError(field, {
    en: `There is no room for this: all your pictures and files together can have ${maxMb} MB. Delete posts or messages with pictures or files first.`,
    ja: `画像やファイルを保存できる容量（1人${maxMb}MB）が足りません。画像やファイルのある投稿やメッセージを削除してから、もう一度お試しください。`,
  })
