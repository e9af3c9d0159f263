import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import { createMemberContextWithoutRoles, type MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { addGroupMemberWithoutRightsCheck, createGroup, deleteGroup } from '#features/chat/groups.ts'
import { storeGroupMessage } from '#features/chat/model.ts'
import { hasGroupMessagesByPeopleOtherThan } from '#features/chat/read-groups.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { acquireAccountsLock } from '#features/people/credentials.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { hasExampleMembers, listExampleMemberIds, markAsExampleMember } from '#features/people/examples.ts'
import { createAccount, saveProfile } from '#features/people/model.ts'
import { createUnusablePasswordHash } from '#features/people/passwords.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { createPost, likePost } from '#features/posts/model.ts'
import { exampleCommunityByLanguage } from './example-community.ts'
import type { exampleContentEndpoints } from './examples-contract.ts'

// This file creates and removes example content, which shows the admin of a new community how it looks with
// people in it. Everything is created in one transaction, and removed in one, so a crash leaves either all
// examples or none.

const HOUR = 3600_000
const timeHoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

/**
 * The context of a request by an admin. Its `db` is the transaction in which the example content is created
 * or removed.
 */
interface ExampleContext extends MemberContext {
  db: Tx
  lang: Language
}

const createExamplesExistError = () =>
  new HttpError(409, {
    en: 'There are examples already. Remove them first.',
    ja: 'サンプルはすでにあります。先に削除してください。',
  })

/**
 * Creates example members with posts and a group, in which the admin is a member too. Throws 409 if there are
 * examples already.
 */
async function createExamples(context: MemberContext & { lang: Language }) {
  const { db, me } = context
  const password_hash = await createUnusablePasswordHash()
  await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    await acquireAccountsLock(tx)
    if (await hasExampleMembers(tx)) throw createExamplesExistError()
    const inTx = { ...context, db: tx }
    const ids = await createPeople(inTx, password_hash)
    await writePosts(inTx, ids)
    await fillGroup(inTx, ids)
    await recordAuditLogEntry(tx, { action: 'examples_created', subject: 'settings', actor_id: me.id })
  })
}

/** Creates the accounts of the example members, and returns their ids. */
async function createPeople(context: ExampleContext, password_hash: string) {
  const ids: number[] = []
  for (const { name, bio } of exampleCommunityByLanguage[context.lang].people) {
    const account = { name, email: null, password_hash, isFirstAdmin: false }
    const { id } = await createAccount(context, context.db, account)
    await markAsExampleMember(context.db, id)
    await saveProfile(createMemberContextWithoutRoles(context, id), { name, bio })
    ids.push(id)
  }
  return ids
}

async function writePosts(context: ExampleContext, ids: readonly number[]) {
  for (const { by, hoursAgo, text, likedBy } of exampleCommunityByLanguage[context.lang].posts) {
    const author = createMemberContextWithoutRoles(context, ids[by]!)
    const post = { body: text, pictures: [], descriptions: [] }
    const { id } = await createPost(author, post, timeHoursAgo(hoursAgo))
    for (const liker of likedBy) await likePost(createMemberContextWithoutRoles(context, ids[liker]!), id)
  }
}

/**
 * Creates the example group with the admin as its owner, adds the example members, and stores their messages.
 */
async function fillGroup(context: ExampleContext, ids: readonly number[]) {
  const { name, messages } = exampleCommunityByLanguage[context.lang].group
  const { id: conversation_id } = await createGroup(context, name)
  await context.db.insertInto('example_groups').values({ conversation_id }).execute()
  for (const id of ids) await addGroupMemberWithoutRightsCheck(context, conversation_id, id)
  for (const { by, hoursAgo, text } of messages) {
    const author = createMemberContextWithoutRoles(context, ids[by]!)
    const message = { body: text, pictures: [], descriptions: [] }
    await storeGroupMessage(author, conversation_id, message, timeHoursAgo(hoursAgo))
  }
}

/**
 * Removes all example content. Deletes the example members in the same way as other accounts, so messages
 * that members wrote to them stay. Deletes the example group, unless a member has written in it.
 */
async function removeExamples(context: SessionContext) {
  const { db, me, media } = context
  const pictures = await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    await acquireAccountsLock(tx)
    const ids = await listExampleMemberIds(tx)
    const inTx = { ...context, db: tx }
    const unreferenced = await deleteExampleGroups(inTx, tx, ids)
    for (const id of ids) await deleteMember(inTx, tx, { id, keep_messages: false })
    if (ids.length)
      await recordAuditLogEntry(tx, { action: 'examples_removed', subject: 'settings', actor_id: me.id })
    return unreferenced
  })
  await media.deleteUnreferenced(pictures)
}

/**
 * Deletes the example groups in which only example members have written. Returns the file names of the
 * deleted pictures.
 */
async function deleteExampleGroups(context: SessionContext, tx: Tx, ids: readonly number[]) {
  const pictures: string[] = []
  const groups = await tx.deleteFrom('example_groups').returning('conversation_id').execute()
  for (const { conversation_id } of groups)
    if (!(await hasGroupMessagesByPeopleOtherThan(tx, conversation_id, ids)))
      pictures.push(...(await deleteGroup(context, conversation_id)))
  return pictures
}

export const exampleContentEndpointHandlers: EndpointHandlers<typeof exampleContentEndpoints> = {
  show: async ({ db }) => ({ exist: await hasExampleMembers(db) }),
  create: async (context) => {
    await createExamples(context)
    return { exist: true }
  },
  remove: async (context) => {
    await removeExamples(context)
    return { exist: false }
  },
}
