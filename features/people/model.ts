import { randomInt } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type DatabaseTables, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import { foldAddress } from '#core/text/addresses.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { sortKey } from '#core/text/readings.ts'
import { grantAdmin } from './admins.ts'
import * as credentials from './credentials.ts'
import { nameSkeleton, numberedHandles, parseHandle, suggestHandle } from './handles.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

type UserExpressions = ExpressionBuilder<DatabaseTables, 'users'>

interface NewAccount<Email extends string | null> {
  name: string
  reading?: string | null | undefined
  email: Email
  /** Without one, a handle is made from the name. */
  handle?: string | null
  password_hash: string
  /** See `claimFirstAdmin`. */
  isFirstAdmin: boolean
}
interface CreatedAccount<Email extends string | null> {
  id: number
  name: string
  email: Email
  created_at: string
  isAdmin: boolean
}

/** 422 if the e-mail address or the handle is taken. */
export async function createAccount<Email extends string | null>(
  { emit }: Pick<AppContext, 'emit'>,
  tx: Tx,
  { name, reading = null, email, handle = null, password_hash, isFirstAdmin }: NewAccount<Email>,
): Promise<CreatedAccount<Email>> {
  await credentials.lockAll(tx)
  if (email !== null) await credentials.requireFreeEmail(tx, credentials.NO_ACCOUNT_ID, email)
  const account = await tx
    .insertInto('users')
    .values({
      ...nameColumns(name, reading),
      handle:
        handle === null
          ? await pickFreeHandle(tx, name)
          : await validateHandle(tx, credentials.NO_ACCOUNT_ID, handle),
      email,
      email_key: email && foldAddress(email),
      password_hash,
      created_at: isoNow(),
    })
    .onConflict((c) => c.column('email_key').doNothing())
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirst()
  if (!account) throw credentials.emailTaken()
  await updateShownHandles(tx, [name])
  if (isFirstAdmin) await grantAdmin(tx, account.id)
  await emit(tx, 'member.registered', { id: account.id })
  return { ...account, email, isAdmin: isFirstAdmin }
}

const nameColumns = (name: string, reading: string | null) => ({
  name,
  name_key: foldNameForSearch(name),
  name_skeleton: nameSkeleton(name),
  reading,
  reading_key: reading && foldReading(reading),
  sort_key: sortKey(reading ?? name),
})

/**
 * After a name was taken or given up. Raises the revision of the accounts that change, because posts show the
 * handle. The caller must hold the lock of `credentials.lockAll`.
 */
export const updateShownHandles = (tx: Tx, names: readonly string[]) =>
  sql`update users
    set shared_handle = case when shared_handle is null then handle end, revision = revision + 1
    where name_skeleton in (${sql.join(names.map(nameSkeleton))})
      and (shared_handle is not null) <> exists (
        select 1 from users as other
        where other.name_skeleton = users.name_skeleton and other.id <> users.id)`.execute(tx)

/** The caller must hold the lock of `credentials.lockAll`. */
async function pickFreeHandle(tx: Tx, name: string) {
  const base = suggestHandle(name)
  const candidates = numberedHandles(base)
  const rows = await tx.selectFrom('users').select('handle').where('handle', 'in', candidates).execute()
  const taken = new Set(rows.map(({ handle }) => handle))
  return candidates.find((handle) => !taken.has(handle)) ?? `${base}${randomInt(100_000, 999_999)}`
}

/** Folded; 422 if it is malformed or taken. The caller must hold the lock of `credentials.lockAll`. */
async function validateHandle(tx: Tx, owner: number, given: string) {
  const handle = parseHandle(given)
  if (!handle)
    throw fieldError('handle', {
      en: `A handle consists of 1 to ${MAX_HANDLE_LENGTH} letters, digits or underscores.`,
      ja: `IDに使えるのは、文字、数字、_（アンダーバー）だけで、${MAX_HANDLE_LENGTH}文字までです。`,
    })
  const other = tx.selectFrom('users').select('id').where('handle', '=', handle).where('id', '!=', owner)
  if (await hasMatchingRow(other))
    throw fieldError('handle', {
      en: 'This handle has already been taken.',
      ja: 'このIDはすでに使われています。',
    })
  return handle
}

/** The caller must hold the lock of `credentials.lockAll`. 422 if the handle is malformed or taken. */
export async function saveHandle(tx: Tx, id: number, given: string) {
  const next = await validateHandle(tx, id, given)
  await tx
    .updateTable('users')
    .set((q) => ({ ...handleColumns(q, next), revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

const handleColumns = (q: UserExpressions, handle: string) => ({
  handle,
  shared_handle: q.case().when('shared_handle', 'is not', null).then(handle).end(),
})

/** The caller must hold the lock of `credentials.lockAll`. */
export async function saveReading(tx: Tx, id: number, reading: string | null) {
  const { name } = await tx.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  await tx
    .updateTable('users')
    .set((q) => ({ ...nameColumns(name, reading), revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

interface SavedProfile {
  name: string
  reading?: string | null | undefined
  bio?: string | null | undefined
  handle?: string | null
}

/** Keeps reading and bio if they are undefined, and the handle if it is missing, null or empty. */
export const saveProfile = ({ db, me }: MemberContext, { name, reading, bio, handle }: SavedProfile) =>
  transaction(db, async (tx) => {
    await credentials.lockAll(tx)
    const before = await tx
      .selectFrom('users')
      .select(['name', 'reading'])
      .where('id', '=', me.id)
      .executeTakeFirst()
    const next = handle ? await validateHandle(tx, me.id, handle) : null
    await tx
      .updateTable('users')
      .set((q) => ({
        ...nameColumns(name, reading === undefined ? (before?.reading ?? null) : reading),
        ...(next !== null && handleColumns(q, next)),
        ...(bio !== undefined && { bio }),
        revision: q('revision', '+', 1),
      }))
      .where('id', '=', me.id)
      .execute()
    if (before && before.name !== name) await updateShownHandles(tx, [before.name, name])
  })

/** Resolves to the name of the previous picture, or null. 422 beyond the storage quota. */
export const replaceImage = (context: MemberContext, picture: Picture) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const before = await tx
      .selectFrom('users')
      .select('image')
      .where('id', '=', me.id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    await lifecycle.attachPicture(tx, picture, me.id)
    await tx
      .updateTable('users')
      .set((q) => ({ image: picture.name, revision: q('revision', '+', 1) }))
      .where('id', '=', me.id)
      .execute()
    if (before?.image && before.image !== picture.name) await lifecycle.detach(tx, [before.image])
    await requireQuota(context, tx, me.id, 'image')
    return before?.image ?? null
  })
