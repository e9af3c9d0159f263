import { type AppContext, withoutRoles } from '#core/context.ts'
import { memberIndex } from '#demo/members.ts'
import { computeDemoMinutesAgo } from '#demo/post-definition.ts'
import { createRandom } from '#demo/random.ts'
import { likeReply } from '#features/replies/likes.ts'
import * as replies from '#features/replies/model.ts'

/**
 * The definition of a reply to a demo post: its author, the minutes after the post, and the text. `answers`
 * is the index of the earlier reply in the same thread that this reply answers.
 */
type DemoReplyDefinition = readonly [by: string, minutesAfter: number, text: string, answers?: number]

interface DemoReplyThread {
  /** The author and the time of the post to which the replies belong, as in the files in demo/stories/. */
  post: readonly [by: string, day: number, time: string]
  replies: readonly DemoReplyDefinition[]
}

export const demoReplyThreads: readonly DemoReplyThread[] = [
  {
    post: ['aya', 3, '21:15'],
    replies: [
      ['priya', 4, 'I had it on Monday. On Monday it was on the hook.'],
      ['goro', 9, '掛けるところは直した。掛けるのは、各自で。'],
      ['daniel', 11, 'Not in the piano. I looked, out of habit.'],
      ['nao', 16, '味噌のたる。いつも。'],
      ['aya', 22, 'Found. Thank you, and thank the barrel.', 3],
    ],
  },
  {
    post: ['kippei', 3, '12:00'],
    replies: [
      ['nao', 25, 'うちの梅干しを一つ、まんなかに。'],
      ['kippei', 40, 'それは、次の「以上です」にします。', 0],
      ['ben', 95, 'I bake for a living, and I would trade four loaves for one of these.'],
    ],
  },
  {
    post: ['priya', 2, '13:20'],
    replies: [
      ['goro', 50, '四ページ、見た。雪の重さは正しい。値段も、残念ながら正しい。'],
      ['aya', 70, 'On the agenda for Sunday, before the soup and not after it.'],
      ['niamh', 130, 'Page 4 is where I sat down.'],
      ['priya', 140, 'Thank you for reading the snow load. Nobody ever reads the snow load.', 0],
    ],
  },
  {
    post: ['ivo', 2, '18:15'],
    replies: [
      ['layla', 12, 'The second one is on my wall by tomorrow, if you let me.'],
      ['ivo', 31, 'It is the sea’s, really. But yes.', 0],
    ],
  },
  {
    post: ['niamh', 1, '16:30'],
    replies: [
      ['soren', 20, 'It is warmer in the shed than on a hook.'],
      ['tomas', 45, 'I counted the hooks. There is one left over. I have brought something for it.'],
      ['niamh', 60, 'It had better not be a trombone.', 1],
      ['hana', 90, 'It is a teapot. Sorry, it was meant to be a surprise.', 2],
    ],
  },
  {
    post: ['fukurou', 1, '22:50'],
    replies: [
      ['akari', 8, '音、聞こえました。うちの屋根も鳴っています。'],
      ['chiharu', 15, 'もなかが窓から動きません。'],
    ],
  },
  {
    post: ['ben', 0, '20:30'],
    replies: [
      ['hana', 6, 'We sing to ours. Yours only breathes?'],
      ['liesl', 13, 'I could knit it a blanket. A small one. It is nearly knitted already.'],
      ['ben', 19, 'It has a blanket. It has a blue one. Please do not make the dough choose.', 1],
    ],
  },
  {
    post: ['chiharu', 0, '20:57'],
    replies: [['emi', 2, 'もなか先輩、今日もおつかれさまです🐈']],
  },
]

/**
 * Writes the replies of the demo into the database, oldest first, and likes of some of them. Throws if the
 * post of a thread does not exist.
 */
export async function seedDemoReplies(context: AppContext, members: readonly number[]) {
  const random = createRandom('likes of replies')
  const ids = new Map<DemoReplyDefinition, number>()
  for (const { reply, thread, minutesAgo } of listRepliesOldestFirst()) {
    const [by, , body, answers] = reply
    const post = await findPostId(context, members, thread)
    const answered = answers === undefined ? undefined : ids.get(thread.replies[answers]!)
    const author = members[memberIndex(by)]!
    const { id } = await replies.create(
      withoutRoles(context, author),
      { post, body, pictures: [], descriptions: [], answers_id: answered },
      new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    )
    ids.set(reply, id)
    const others = members.filter((member) => member !== author)
    for (const member of random.some(others, Math.floor(random() ** 2 * 7)))
      await likeReply(withoutRoles(context, member), id)
  }
}

const listRepliesOldestFirst = () =>
  demoReplyThreads
    .flatMap((thread) =>
      thread.replies.map((reply) => ({
        thread,
        reply,
        minutesAgo: computeDemoMinutesAgo(thread.post[1], toMinuteOfDay(thread.post[2]) + reply[1]),
      })),
    )
    .sort((a, b) => b.minutesAgo - a.minutesAgo)

function toMinuteOfDay(time: string) {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  return hours * 60 + minutes
}

/**
 * Returns the id of the post to which a thread of replies belongs: the post of its author that is nearest to
 * its time. Throws if no post is within a minute of that time.
 */
async function findPostId({ db }: AppContext, members: readonly number[], { post }: DemoReplyThread) {
  const [by, day, time] = post
  const at = Date.now() - computeDemoMinutesAgo(day, toMinuteOfDay(time)) * 60_000
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'created_at'])
    .where('user_id', '=', members[memberIndex(by)]!)
    .execute()
  const distance = ({ created_at }: { created_at: string }) => Math.abs(Date.parse(created_at) - at)
  const [nearest] = posts.sort((a, b) => distance(a) - distance(b))
  if (!nearest || distance(nearest) > 60_000) throw new Error(`${by} has no post of day ${day}, ${time}`)
  return nearest.id
}
