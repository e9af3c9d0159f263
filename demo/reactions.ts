import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { createRandom } from '#demo/random.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import * as reactions from '#features/reactions/model.ts'

/**
 * `count` is the number of newest posts, or newest messages of groups, that may get emoji reactions. `people`
 * is the maximum number of members who react to one of them with the same emoji.
 */
const POSTS = { count: 60, people: 6 }
const MESSAGES = { count: 40, people: 4 }

/**
 * Adds emoji reactions of members to some of the newest posts, and to some of the newest messages of groups.
 */
export async function seedDemoEmojiReactions(context: AppContext & { db: Tx }, members: readonly number[]) {
  const posts = await context.db
    .selectFrom('posts')
    .select(['id', 'user_id'])
    .orderBy('id', 'desc')
    .limit(POSTS.count)
    .execute()
  for (const { id, user_id } of posts)
    await react(
      context,
      { subject: 'post', id },
      members.filter((member) => member !== user_id),
      POSTS.people,
    )
  const messages = await context.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id', 'm.conversation_id'])
    .where('c.pair', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('m.id', 'desc')
    .limit(MESSAGES.count)
    .execute()
  for (const { id, conversation_id } of messages) {
    const rows = await context.db
      .selectFrom('conversation_members')
      .select('user_id')
      .where('conversation_id', '=', conversation_id)
      .orderBy('user_id')
      .execute()
    const inGroup = rows.map(({ user_id }) => user_id)
    await react(context, { subject: 'message', id }, inGroup, MESSAGES.people)
  }
}

async function react(
  context: AppContext,
  { subject, id }: { subject: SubjectKind; id: number },
  people: readonly number[],
  maxPeople: number,
) {
  const random = createRandom(`reactions ${subject} ${id}`)
  // Leaves more than half of these posts and messages without reactions.
  if (random() < 0.55) return
  const emoji = random.some(context.settings.current().reaction_emoji, 1 + Math.floor(random() ** 2 * 3))
  for (const [index, one] of emoji.entries()) {
    const count = 1 + Math.floor(random() ** 2 * (maxPeople - index))
    for (const person of random.some(people, count))
      await reactions.add(withoutRoles(context, person), subject, id, one)
  }
}
