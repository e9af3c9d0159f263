import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markMediaUnreferenced, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireMemberWithinStorageQuota } from '#core/media/storage-quota.ts'
import { foldCaseAndWidth, foldNameForSearch } from '#core/unicode.ts'
import { grantAdmin } from './admins.ts'
import {
  acquireAccountsLock,
  createEmailTakenError,
  NO_ACCOUNT_ID,
  requireEmailNotTakenOrReserved,
} from './credentials.ts'
import {
  listNumberedHandleCandidates,
  parseHandle,
  suggestHandleFromName,
  toLookalikeNameSkeleton,
} from './handles.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

// ── Accounts ────────────────────────────────────────────────────────────────

interface NewAccount<Email extends string | null> {
  name: string
  /** The e-mail address of the account; null for a member without an e-mail address. */
  email: Email
  /** The handle of the account. If it is missing or null, a handle is made from the name. */
  handle?: string | null
  password_hash: string
  /** Whether the account becomes the first admin: see `shouldBecomeFirstAdmin`. */
  isFirstAdmin: boolean
}
interface CreatedAccount<Email extends string | null> {
  id: number
  name: string
  email: Email
  created_at: string
  /** Whether the account became the first admin. */
  isAdmin: boolean
}

/**
 * Creates an account in the given transaction, and returns it. Throws 422 if the e-mail address or the handle
 * is taken.
 */
export async function createAccount<Email extends string | null>(
  { emit }: Pick<AppContext, 'emit'>,
  tx: Tx,
  { name, email, handle = null, password_hash, isFirstAdmin }: NewAccount<Email>,
): Promise<CreatedAccount<Email>> {
  await acquireAccountsLock(tx)
  if (email !== null) await requireEmailNotTakenOrReserved(tx, NO_ACCOUNT_ID, email)
  const account = await tx
    .insertInto('users')
    .values({
      ...nameColumns(name),
      handle:
        handle === null ? await pickFreeHandle(tx, name) : await validateHandle(tx, NO_ACCOUNT_ID, handle),
      email,
      email_key: email && foldCaseAndWidth(email),
      password_hash,
      created_at: currentIsoTime(),
    })
    .onConflict((c) => c.column('email_key').doNothing())
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirst()
  if (!account) throw createEmailTakenError()
  await updateShownHandlesOfLookalikeNames(tx, [name])
  if (isFirstAdmin) await grantAdmin(tx, account.id)
  await emit(tx, 'member.registered', { id: account.id })
  return { ...account, email, isAdmin: isFirstAdmin }
}

const nameColumns = (name: string) => ({
  name,
  name_key: foldNameForSearch(name),
  name_skeleton: toLookalikeNameSkeleton(name),
})

/**
 * Sets or clears `shared_handle` of the accounts whose names look like one of `names`, after a name was taken
 * or given up. Raises the revision of the accounts that change, because posts show the handle. The caller
 * must hold the lock of `acquireAccountsLock`.
 */
export const updateShownHandlesOfLookalikeNames = (tx: Tx, names: readonly string[]) =>
  sql`update users
    set shared_handle = case when shared_handle is null then handle end, revision = revision + 1
    where name_skeleton in (${sql.join(names.map(toLookalikeNameSkeleton))})
      and (shared_handle is not null) <> exists (
        select 1 from users as other
        where other.name_skeleton = users.name_skeleton and other.id <> users.id)`.execute(tx)

/**
 * Returns a free handle that is made from the name. The caller must hold the lock of `acquireAccountsLock`.
 */
async function pickFreeHandle(tx: Tx, name: string) {
  const base = suggestHandleFromName(name)
  const candidates = listNumberedHandleCandidates(base)
  const rows = await tx.selectFrom('users').select('handle').where('handle', 'in', candidates).execute()
  const taken = new Set(rows.map(({ handle }) => handle))
  return candidates.find((handle) => !taken.has(handle)) ?? `${base}${randomInt(100_000, 999_999)}`
}

/**
 * Validates a handle and returns it folded. Throws 422 if it is malformed or taken. The caller must hold the
 * lock of `acquireAccountsLock`.
 */
async function validateHandle(tx: Tx, owner: number, given: string) {
  const handle = parseHandle(given)
  if (!handle)
    throw createInvalidFieldError('handle', {
      en: `A handle consists of 1 to ${MAX_HANDLE_LENGTH} letters, digits or underscores.`,
      ja: `ハンドルは、文字、数字、アンダースコアを使って${MAX_HANDLE_LENGTH}文字以内で入力してください。`,
    })
  const other = tx.selectFrom('users').select('id').where('handle', '=', handle).where('id', '!=', owner)
  if (await hasMatchingRow(other))
    throw createInvalidFieldError('handle', {
      en: 'This handle has already been taken.',
      ja: 'このハンドルはすでに使われています。',
    })
  return handle
}

// ── Profiles ────────────────────────────────────────────────────────────────

/**
 * Saves the profile of the current member. Does not change the bio if `bio` is undefined, nor the handle if
 * `handle` is missing, null or empty.
 */
export const saveProfile = (
  { db, me }: MemberContext,
  { name, bio, handle }: { name: string; bio?: string | null | undefined; handle?: string | null },
) =>
  transaction(db, async (tx) => {
    await acquireAccountsLock(tx)
    const before = await tx.selectFrom('users').select('name').where('id', '=', me.id).executeTakeFirst()
    const next = handle ? await validateHandle(tx, me.id, handle) : null
    await tx
      .updateTable('users')
      .set((q) => ({
        ...nameColumns(name),
        ...(next !== null && {
          handle: next,
          shared_handle: q.case().when('shared_handle', 'is not', null).then(next).end(),
        }),
        ...(bio !== undefined && { bio }),
        revision: q('revision', '+', 1),
      }))
      .where('id', '=', me.id)
      .execute()
    if (before && before.name !== name) await updateShownHandlesOfLookalikeNames(tx, [before.name, name])
  })

/**
 * Replaces the profile image of the current member. Returns the name of the previous picture, or null if
 * there was none. Throws 422 beyond the storage quota of the member.
 */
export const replaceProfileImageAndReturnOldName = (context: MemberContext, picture: PictureMetadata) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const before = await tx
      .selectFrom('users')
      .select('image')
      .where('id', '=', me.id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    await markPictureAttached(tx, picture, me.id)
    await tx
      .updateTable('users')
      .set((q) => ({ image: picture.name, revision: q('revision', '+', 1) }))
      .where('id', '=', me.id)
      .execute()
    if (before?.image && before.image !== picture.name) await markMediaUnreferenced(tx, [before.image])
    await requireMemberWithinStorageQuota(context, tx, me.id, 'image')
    return before?.image ?? null
  })
