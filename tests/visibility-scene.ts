import { sql } from 'kysely'
import { expect } from 'vitest'
import { apiContracts, featureModules } from '#app.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { ServedChannel, ServedEndpoint } from '#core/schemas.ts'
import * as announcers from '#features/people/announcers.ts'
import { deleteMember } from '#features/people/deletion.ts'
import type { Poll } from '#features/polls/contract.ts'
import type { Post } from '#features/posts/contract.ts'
import { type Dialect, formData, type TestApp, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { skipIds } from './skip-ids.ts'
import { addAlbums } from './visibility-albums.ts'

// Creates a community for tests of what each kind of viewer sees. Its member Pat has done everything that
// others can see. The viewers are a person of each kind of relation to Pat. The tests search for traces of
// Pat in everything that each viewer can read.

/** The id of the member Pat. It is so large that it occurs in no response by chance. */
export const PAT_ID = 777_777
const NAME = 'Patricia Trace'
const READING = 'ぱとりしあ とれーす'
const WORDS = 'words of that person'
/** The tag in the posts of the member Pat. */
export const PAT_TAG = 'trace'

/** The kinds of viewers, one for each column of the tables in docs/visibility.md. */
export const viewerKinds = [
  'stranger',
  'member',
  'follower',
  'group member',
  'blocked by',
  'blocking',
  'muting',
  'child',
  'guardian of child',
  'guardian of person',
  'suspended',
  'deleted',
  'moderator',
  'admin',
] as const
export type ViewerKind = (typeof viewerKinds)[number]
type Member = TestClient & { id: number }

/**
 * A child that may have contact with Pat. The child `who` must see the same of Pat as the viewer of the kind
 * `kind`, who is not a child.
 */
interface AllowedChild {
  who: Member
  kind: ViewerKind
}

export const visibleEndpoints: Readonly<Record<string, ServedEndpoint>> = Object.fromEntries(
  Object.entries(apiContracts).flatMap(([feature, contract]) =>
    Object.entries(contract).map(([name, endpoint]) => [`${feature}.${name}`, endpoint as ServedEndpoint]),
  ),
)
export const allChannels = featureModules.flatMap((module): ServedChannel[] => Object.values(module.channels))

const succeed = async (answer: ReturnType<TestClient['post']>) => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const pictureForm = async (fields: Record<string, string>, field = 'images[]', files: File[] = []) => {
  const picture = await fourColours().png().toBuffer()
  return formData(fields, { [field]: [uploadFile(picture, 'a.png')], 'files[]': files })
}

const fileForm = (fields: Record<string, string>) =>
  pictureForm(fields, 'images[]', [uploadFile('Hello', 'a.txt')])

/** Registers the viewers, some other members, and Pat. Makes Admin an admin and Moderator a moderator. */
async function createPeople(app: TestApp, dialect: Dialect) {
  const names = [
    'Founder',
    'Admin',
    'Moderator',
    'Member',
    'Follower',
    'Mate',
    'Blocked',
    'Blocker',
    'Muter',
    'Kid',
    'Kidfriend',
    'Kidmate',
    'Keeper',
    'Parent',
    'Gone',
    'Left',
    'Newcomer',
  ] as const
  const people = await app.members(...names)
  await skipIds(app, dialect, PAT_ID)
  const { Pat } = await app.members('Pat')
  expect(Pat.id).toBe(PAT_ID)
  await people.Founder.put(`/api/admin/users/${people.Admin.id}/admin`)
  await succeed(people.Founder.post('/api/moderators', { handle: 'moderator' }))
  return { ...people, Pat }
}

/**
 * Marks Kid, Kidfriend, Kidmate and Pat as children, and removes Kid from the group with Pat. So the
 * private chat of Kid and Pat becomes a request to Kid's guardian. Pat's guardian gets a request because
 * Pat tries to follow Newcomer, who is no viewer.
 */
async function markChildren(
  { Founder, Pat, Kid, Kidfriend, Kidmate, Keeper, Parent, Newcomer }: People,
  group: number,
) {
  const ends_on = `${new Date().getFullYear() + 5}-04-01`
  for (const [{ id }, guardian] of [
    [Kid, 'keeper'],
    [Kidfriend, 'founder'],
    [Kidmate, 'founder'],
    [Pat, 'parent'],
  ] as const)
    await succeed(Founder.put(`/api/admin/users/${id}/child`, { guardians: [guardian], ends_on }))
  await succeed(Founder.delete(`/api/groups/${group}/members/${Kid.id}`))
  expect((await Pat.post(`/api/follow/${Newcomer.id}`)).status).toBe(403)
  // Marks the requests as seen. Otherwise each page redirects the guardians to the page with the requests.
  for (const guardian of [Keeper, Parent]) await succeed(guardian.post('/api/guardian/seen'))
}

const react = (who: TestClient, path: string) =>
  succeed(who.put(`${path}/reactions/${encodeURIComponent('👍')}`))

type People = Awaited<ReturnType<typeof createPeople>>

/**
 * Makes Pat write posts, replies and messages, follow, like, react and upload pictures. Also makes viewers
 * follow Pat and like Pat's post, and adds viewers to a group with Pat. Returns the ids that the tests put
 * into requests, and the paths of Pat's pictures.
 */
async function fillCommunity({ Pat, Founder, ...others }: People) {
  const { Member: stranger, Follower, Mate, Blocked, Blocker, Muter, Gone, Left } = others
  const { Kid, Kidfriend, Kidmate } = others
  await succeed(Pat.post('/api/profile', { name: NAME, reading: READING, bio: WORDS }))
  const avatar = await succeed(Pat.post('/api/profile-image', await pictureForm({}, 'image')))
  const post = (await succeed(Pat.post('/api/posts', await pictureForm({ text: WORDS })))).post
  await succeed(Pat.put(`/api/posts/${post.id}`, { text: `${WORDS}, again #${PAT_TAG}` }))
  await succeed(Founder.put(`/api/posts/${post.id}/pin`))
  const tomorrow = (time: string) => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T${time}`
  const extras = {
    poll: { kind: 'choice', options: ['Cake', 'Soup'] },
    event: { title: 'Picnic', zone: 'UTC', begins: tomorrow('22:00'), ends: tomorrow('23:00') },
  }
  const other = (await succeed(stranger.post('/api/posts', { text: 'Hello', extras }))).post
  const poll = (await succeed(Pat.get(`/api/polls?posts=${other.id}`))).posts[other.id] as Poll
  await succeed(Pat.put(`/api/polls/${poll.id}/vote`, { options: [poll.options[0]!.id] }))
  const event = (await succeed(Pat.get(`/api/events?posts=${other.id}`)))[other.id].date.id as number
  await succeed(Pat.put(`/api/events/dates/${event}/answer`, { answer: 'yes', note: WORDS }))
  await succeed(Pat.post(`/api/events/dates/${event}/rota`, { kind: 'car', title: WORDS, places: 2 }))
  await succeed(Pat.put(`/api/posts/${other.id}/like`))
  const replied = await succeed(
    Pat.post(`/api/posts/${other.id}/replies`, await pictureForm({ text: WORDS })),
  )
  await succeed(Pat.put(`/api/replies/${replied.reply.id}/like`))
  await react(Pat, `/api/posts/${other.id}`)
  await react(Pat, `/api/replies/${replied.reply.id}`)
  await succeed(stranger.post('/api/reports', { kind: 'post', id: post.id, reason: 'other' }))
  const { group } = await succeed(Founder.post('/api/groups', { name: 'Garden' }))
  for (const { id } of [Pat, Mate, Blocked, Blocker, Muter, Kid, Kidmate, Gone, Left])
    await succeed(Founder.post(`/api/groups/${group.id}/add-user`, { user_id: id }))
  const postFor = async (audience: string, more = {}) =>
    (await succeed(Pat.post('/api/posts', await fileForm({ text: WORDS, audience, ...more })))).post as Post
  const audiencePosts = {
    everyone: await postFor('everyone'),
    members: await postFor('members'),
    followers: await postFor('followers'),
    group: await postFor('group', { group_id: String(group.id) }),
  }
  const chats: { id: number; images: { path: string }[] }[] = []
  for (const friend of [Follower, Blocked, Blocker, Muter, Kid, Kidfriend, Gone, Left]) {
    await succeed(friend.post(`/api/follow/${Pat.id}`))
    await succeed(friend.put(`/api/new-posts/people/${Pat.id}`))
    await succeed(friend.put(`/api/posts/${post.id}/like`))
    await succeed(friend.put(`/api/posts/${post.id}/bookmark`))
    await succeed(Pat.post(`/api/follow/${friend.id}`))
    const form = await pictureForm({ input: WORDS, targetUserId: String(friend.id) })
    chats.push((await succeed(Pat.post('/api/send-private-message', form))).message)
  }
  for (const [friend, last_read_id] of [
    [Follower, chats[0]!.id],
    [Kid, chats[4]!.id],
    [Kidfriend, chats[5]!.id],
  ] as const)
    await succeed(friend.put(`/api/conversations/${Pat.id}/read`, { last_read_id }))
  await succeed(Blocked.post('/api/group-messages/send', { group_id: group.id, message: 'Good morning' }))
  const form = await pictureForm({ group_id: String(group.id), message: WORDS })
  const said = (await succeed(Pat.post('/api/group-messages/send', form))).message
  await succeed(Pat.put(`/api/groups/${group.id}/read`, { last_read_id: said.id }))
  await succeed(Founder.put(`/api/chat-messages/${said.id}/pin`))
  for (const { id } of [said, chats[1]!]) await react(Pat, `/api/chat-messages/${id}`)
  return {
    group: group.id as number,
    post: post.id as number,
    /** The posts of Pat, one for each audience, each with a picture and a file. */
    audiencePosts,
    otherPost: other.id as number,
    /** Of `otherPost`, with a vote of Pat for its first option. */
    poll,
    event,
    /** The id of a reply by Pat to the post of another member. */
    reply: replied.reply.id as number,
    message: said.id as number,
    ...(await addAlbums(Founder, Pat, group.id)),
    /**
     * The ids of the private messages that Pat has sent to Follower, Blocked, Blocker, Muter, Kid, Kidfriend
     * and others.
     */
    privateMessages: chats.map(({ id }) => id),
    postPicture: post.images[0].path as string,
    avatar: avatar.profile_image as string,
    groupPicture: said.images[0].path as string,
    /** The paths of the pictures in Pat's messages to Follower, Blocked, Blocker, Muter, Kid, Kidfriend. */
    privatePictures: chats.slice(0, 6).map(({ images }) => images[0]!.path),
  }
}

export async function visibilityScene(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await realtimeApp({ dialect, env })
  if (dialect === 'sqlite') await sql`pragma synchronous = off`.execute(app.db)
  const people = await createPeople(app, dialect)
  const {
    Pat,
    Founder,
    Admin,
    Moderator,
    Member: member,
    Follower,
    Mate,
    Blocked,
    Blocker,
    Muter,
    Kid,
    Keeper,
    Parent,
    Gone,
    Left,
  } = people
  const ids = await fillCommunity(people)
  await transaction(app.db, async (tx) => {
    await sql`insert into acknowledgement_requests (post_id, user_id, created_at)
      values (${ids.otherPost}, ${member.id}, ${isoNow()})`.execute(tx)
    await sql`insert into acknowledgement_recipients (post_id, user_id)
      values (${ids.otherPost}, ${PAT_ID})`.execute(tx)
    await announcers.grant(tx, member.id, people.Founder.id)
  })
  await succeed(Pat.put(`/api/posts/${ids.otherPost}/acknowledgement`))
  /**
   * Makes Pat block a viewer, makes viewers block and mute Pat, marks children, suspends a viewer and
   * deletes a viewer. Before this call, none of this limits what a viewer sees of Pat.
   */
  async function hide() {
    await succeed(Pat.post(`/api/users/${Blocked.id}/block`))
    await succeed(Blocker.post(`/api/users/${Pat.id}/block`))
    await succeed(Muter.post(`/api/users/${Pat.id}/mute`))
    await markChildren(people, ids.group)
    await succeed(Founder.put(`/api/admin/users/${Gone.id}/suspension`))
    await transaction(app.db, (tx) =>
      deleteMember(app.context, tx, { id: Left.id, keep_messages: true }).then(() => undefined),
    )
  }
  const viewers: Record<ViewerKind, TestClient & { id?: number }> = {
    stranger: app.visitor(),
    member,
    follower: Follower,
    'group member': Mate,
    'blocked by': Blocked,
    blocking: Blocker,
    muting: Muter,
    child: Kid,
    'guardian of child': Keeper,
    'guardian of person': Parent,
    suspended: Gone,
    deleted: Left,
    moderator: Moderator,
    admin: Admin,
  }
  await viewers.stranger.get('/sanctum/csrf-cookie')
  const pictures = [
    ids.postPicture,
    ids.avatar,
    ids.groupPicture,
    ...ids.privatePictures,
    ...ids.albumPictures,
    ...Object.values(ids.audiencePosts).map(({ images }) => images[0]!.path),
  ]
  const nameOf = (path: string) => /[\w-]+?(?=-\d+\.webp)/.exec(path)![0]
  const trace = new RegExp([NAME, READING, WORDS, PAT_ID, ...pictures.map(nameOf)].join('|'))
  return {
    ...app,
    ...ids,
    Pat,
    Founder: Founder as Member,
    viewers,
    allowedChildren: [
      { who: people.Kidmate, kind: 'group member' },
      { who: people.Kidfriend, kind: 'follower' },
    ] satisfies AllowedChild[],
    hide,
    isTrace: (text: string) => trace.test(text),
  }
}
export type VisibilityScene = Awaited<ReturnType<typeof visibilityScene>>
