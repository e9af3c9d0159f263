import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { lockName } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { formatBytes } from '#core/text/format-bytes.ts'

/** Shown as `formatBytes` shows it, and so counted in its units. */
export const quotaBytes = (maxMb: number) => maxMb * 1e6

/**
 * Throws 422 above `max_member_storage_mb`. Called after the new pictures and files are attached and those
 * that they replace detached, in one transaction. The lock makes concurrent uploads of a member to several
 * processes count each other's bytes.
 */
export async function requireQuota(
  { settings }: Pick<AppContext, 'settings'>,
  tx: Tx,
  member: number,
  field: 'image' | 'images' | 'files',
) {
  const maxMb = settings.current().max_member_storage_mb
  if (!maxMb) return
  await lockName(tx, `storage ${member}`)
  if ((await storedBytes(tx, member)) > quotaBytes(maxMb)) throw createQuotaError(field, maxMb)
}

/** Bytes of all attached pictures and files. */
export async function storedBytes(db: Db, member: number) {
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where('owner_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

const createQuotaError = (field: string, maxMb: number) =>
  fieldError(field, {
    en: `There is no room for this: all your pictures and files together can have ${formatBytes(quotaBytes(maxMb), 'en')}. Delete posts or messages with pictures or files first.`,
    ja: `保存できる容量（1人${formatBytes(quotaBytes(maxMb), 'ja')}）がいっぱいです。画像やファイルの付いた投稿かメッセージを削除してから、もう一度お試しください。`,
  })
