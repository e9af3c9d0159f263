import * as auditLog from '#core/audit-log/audit-log.ts'
import { type MemberContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import * as groupModel from '#features/groups/model.ts'
import * as readGroups from '#features/groups/read.ts'
import { storeInGroup } from '#features/messages/model.ts'
import { requireAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { hasExamples, listExamples, markExample } from '#features/people/examples.ts'
import { createAccount, saveProfile } from '#features/people/model.ts'
import { unusableHash } from '#features/people/passwords.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as posts from '#features/posts/model.ts'
import type { exampleEndpoints } from './contract.ts'
import { exampleContent } from './example-community.ts'

// Everything is created in one transaction, and removed in one: a crash leaves all examples or none.

const HOUR = 3600_000
const timeHoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

interface ExampleContext extends MemberContext {
  db: Tx
  lang: Language
}

const createExamplesExistError = () =>
  new HttpError(409, {
    en: 'There are examples already. Remove them first.',
    ja: '見本はすでにあります。先に削除してください。',
  })

/** The admin is a member of the group too. 409 if there are examples already. */
async function createExamples(context: MemberContext & { lang: Language }) {
  const { db, me } = context
  const password_hash = await unusableHash()
  await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    await credentials.lockAll(tx)
    if (await hasExamples(tx)) throw createExamplesExistError()
    const inTx = { ...context, db: tx }
    const ids = await createPeople(inTx, password_hash)
    await writePosts(inTx, ids)
    await fillGroup(inTx, ids)
    await auditLog.record(tx, { action: 'examples_created', subject: 'settings', actor_id: me.id })
  })
}

async function createPeople(context: ExampleContext, password_hash: string) {
  const ids: number[] = []
  for (const { name, reading, bio } of exampleContent[context.lang].people) {
    const account = { name, email: null, password_hash, isFirstAdmin: false }
    const { id } = await createAccount(context, context.db, account)
    await markExample(context.db, id)
    await saveProfile(withoutRoles(context, id), { name, reading, bio })
    ids.push(id)
  }
  return ids
}

async function writePosts(context: ExampleContext, ids: readonly number[]) {
  for (const { by, hoursAgo, text, likedBy } of exampleContent[context.lang].posts) {
    const author = withoutRoles(context, ids[by]!)
    const post = { body: text, pictures: [], descriptions: [] }
    const { id } = await posts.create(author, post, timeHoursAgo(hoursAgo))
    for (const liker of likedBy) await posts.like(withoutRoles(context, ids[liker]!), id)
  }
}

async function fillGroup(context: ExampleContext, ids: readonly number[]) {
  const { name, messages } = exampleContent[context.lang].group
  const { id: conversation_id } = await groupModel.create(context, name)
  await context.db.insertInto('example_groups').values({ conversation_id }).execute()
  for (const id of ids) await groupModel.addMember(context, conversation_id, id)
  for (const { by, hoursAgo, text } of messages) {
    const author = withoutRoles(context, ids[by]!)
    const message = { body: text, pictures: [], descriptions: [] }
    await storeInGroup(author, conversation_id, message, timeHoursAgo(hoursAgo))
  }
}

/** Deletes example members as other accounts, so messages that members wrote to them stay. */
async function removeExamples(context: SessionContext) {
  const { db, me, media } = context
  const pictures = await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    await credentials.lockAll(tx)
    const ids = await listExamples(tx)
    const inTx = { ...context, db: tx }
    const unreferenced = await deleteExampleGroups(inTx, tx, ids)
    for (const id of ids) await deleteMember(inTx, tx, { id, keep_messages: false })
    if (ids.length)
      await auditLog.record(tx, { action: 'examples_removed', subject: 'settings', actor_id: me.id })
    return unreferenced
  })
  await media.deleteUnreferenced(pictures)
}

/** Only groups in which no member has written. Returns the file names of the deleted pictures. */
async function deleteExampleGroups(context: SessionContext, tx: Tx, ids: readonly number[]) {
  const pictures: string[] = []
  const groups = await tx.deleteFrom('example_groups').returning('conversation_id').execute()
  for (const { conversation_id } of groups)
    if (!(await readGroups.hasMessagesBeside(tx, conversation_id, ids)))
      pictures.push(...(await groupModel.remove(context, conversation_id)))
  return pictures
}

export const exampleHandlers: Handlers<typeof exampleEndpoints> = {
  show: async ({ db }) => ({ exist: await hasExamples(db) }),
  create: async (context) => {
    await createExamples(context)
    return { exist: true }
  },
  remove: async (context) => {
    await removeExamples(context)
    return { exist: false }
  },
}
