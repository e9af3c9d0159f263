import { expect, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import { acknowledgementEndpoints } from '#features/acknowledgements/contract.ts'
import { eventEndpoints } from '#features/events/contract.ts'
import { pollEndpoints } from '#features/polls/contract.ts'
import { latestEndpoints } from '#features/replies/contract.ts'
import { searchEndpoints } from '#features/search/contract.ts'
import { deep } from '#tests/deep.ts'
import { eventually } from '#tests/eventually.ts'
import { databases } from '#tests/harness.ts'
import { connectPusher, messagesArrived } from '#tests/sockets.ts'
import { addPicture } from './visibility-albums.ts'
import {
  allChannels,
  PAT_ID,
  PAT_TAG,
  type VisibilityScene,
  visibilityScene,
  visibleEndpoints,
} from './visibility-scene.ts'
import { docTableRow, docTableRows, type ViewerClient } from './visibility-tables.ts'

vi.setConfig({ testTimeout: 300_000 })

/**
 * Returns what the text of a response tells about Pat, as a cell of the tables: `yes` (it contains a trace of
 * Pat), `note` (it says that a person is blocked or muted), or `–` (nothing).
 */
const judge = (scene: VisibilityScene, text: string) =>
  scene.isTrace(text) ? 'yes' : /"is_(blocked|muted)":true/.test(text) ? 'note' : '–'

/**
 * Returns the ids to put into a path: those of everything in the deep stage; otherwise those of the things that
 * the path is about, or of one thing of each kind.
 */
function listIds(scene: VisibilityScene, who: ViewerClient, path: string) {
  const { group, post, otherPost, reply, message, privateMessages, viewers } = scene
  const people = [PAT_ID, viewers.follower.id, viewers.child.id, who.id]
  const all = [...people, group, post, otherPost, reply, message, ...privateMessages]
  if (deep || path.includes('/chat-messages/')) return all
  if (/\/(users|people|conversations|messages|privatechat|children)\/:/.test(path)) return people
  if (/\/albums\/:/.test(path)) return scene.albums
  if (/\/(groups|group-messages|group-chat)\/:/.test(path)) return [group]
  if (/\/posts\/:/.test(path)) return [post, otherPost]
  if (/\/polls\/:/.test(path)) return [scene.poll.id]
  if (/\/events\/dates\/:/.test(path)) return [scene.event]
  return [PAT_ID, group, post, reply, message]
}

/**
 * Requests a path as a viewer, with every id that might fit. Returns the table cell for the response that
 * tells the most about Pat.
 */
async function readAs(scene: VisibilityScene, who: ViewerClient, path: string) {
  const { post, otherPost } = scene
  const listed = path.startsWith('/api/notifications/:id') ? (await who.get('/api/notifications')).body : []
  const notifications: number[] = Array.isArray(listed) ? listed.map(({ id }: { id: number }) => id) : []
  const ids = new Set(/:(?!tag)\w+/.test(path) ? [...listIds(scene, who, path), ...notifications] : [0])
  let found = '–'
  for (const id of ids) {
    if (id === undefined) continue
    const address = path.replace(':tag', PAT_TAG).replace(/:\w+/g, String(id))
    const takesPosts = [latestEndpoints.list, acknowledgementEndpoints.states, eventEndpoints.ofPosts].some(
      (one) => one.path === path,
    )
    const queries: Record<string, string> = {
      [eventEndpoints.dates.path]: '?from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
      [pollEndpoints.voters.path]: `?option=${scene.poll.options[0]!.id}`,
      [searchEndpoints.list.path]: '?q=words+that&limit=100',
      [searchEndpoints.overview.path]: '?q=words+that',
      [searchEndpoints.attachments.path]: '?has=picture&limit=100',
    }
    const query = takesPosts ? `?posts=${post},${otherPost}` : (queries[path] ?? '')
    const { status, body } = await who.get(address + query)
    const cell = status === 200 ? judge(scene, typeof body === 'string' ? body : JSON.stringify(body)) : '–'
    if (cell === 'yes') return cell
    if (cell === 'note') found = cell
  }
  return found
}

/** Returns a table row for each path: what each kind of viewer can read about Pat at this path. */
async function readRows(scene: VisibilityScene, paths: readonly string[]) {
  const rows: string[] = []
  for (const path of paths)
    rows.push(await docTableRow(scene, `\`${path}\``, (who) => readAs(scene, who, path)))
  return rows
}
const saysNothing = (row: string) => /^[^|]*\|[^|]*(\| – )+\|$/.test(row)

const calls = Object.values(visibleEndpoints)
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path)
const pages = featureModules.flatMap((module) => (module.pages ?? []).map(({ path }) => path))
const pictures = {
  'pictures of posts for everyone, profile pictures': ({ postPicture, avatar }: VisibilityScene) => [
    postPicture,
    avatar,
  ],
  'files of posts for everyone': ({ audiencePosts }: VisibilityScene) => [
    audiencePosts.everyone.files![0]!.path,
  ],
  'pictures of groups': ({ groupPicture }: VisibilityScene) => [groupPicture],
  'pictures of albums of all members': ({ albumPictures }: VisibilityScene) => [albumPictures[0]!],
  'pictures of albums of groups': ({ albumPictures }: VisibilityScene) => [albumPictures[1]!],
  'pictures of private chats': ({ privatePictures }: VisibilityScene) => privatePictures,
}

/** Returns a table row for each audience: which viewers can read Pat's post for this audience, its picture and its file. */
async function readAudiences(scene: VisibilityScene) {
  const rows: string[] = []
  for (const [audience, { id, images, files }] of Object.entries(scene.audiencePosts)) {
    const paths = [`/api/posts/${id}`, images[0]!.path, files![0]!.path]
    const row = await docTableRow(scene, `\`${audience}\``, async (who) => {
      const answers = await Promise.all(paths.map((path) => who.get(path)))
      return answers.map(({ status }) => (status === 200 ? 'yes' : '–')).join(' ')
    })
    rows.push(row)
  }
  return rows
}

/** Returns a table row for each kind of picture: which viewers can see at least one of Pat's pictures. */
async function readPictures(scene: VisibilityScene) {
  const rows: string[] = []
  for (const [name, list] of Object.entries(pictures)) {
    const row = await docTableRow(scene, name, async (who) => {
      const answers = await Promise.all(list(scene).map((path) => who.get(path)))
      return answers.some(({ status }) => status === 200) ? 'yes' : '–'
    })
    rows.push(row)
  }
  return rows
}

test.each(databases)(
  'what viewers see of a person, on %s, is that of docs/visibility.md: in calls, pages, posts, pictures and live events',
  async (dialect) => {
    const scene = await visibilityScene(dialect)
    const before = await readAs(scene, scene.viewers['blocked by'], '/api/users/:id')
    expect([before, await readAs(scene, scene.viewers.blocking, '/api/unread')]).toEqual(['yes', 'yes'])
    await scene.hide()
    const rows = await readRows(scene, [...calls, ...pages])
    const found = {
      audiences: await readAudiences(scene),
      pictures: await readPictures(scene),
      calls: rows.filter((row) => !saysNothing(row)).sort(),
      channels: await readChannels(scene),
    }
    expect(found).toEqual({
      audiences: docTableRows('audiences'),
      pictures: docTableRows('pictures'),
      calls: ['calls', 'pages'].flatMap(docTableRows).sort(),
      channels: docTableRows('channels'),
    })
  },
)

/**
 * Subscribes all viewers to all channels, and then acts as Pat. Returns a table row for each channel, which
 * says which kinds of viewers receive a trace of Pat on this channel.
 */
async function readChannels(scene: VisibilityScene) {
  const { Pat, viewers, url, realtime } = scene
  const open = async (who: ViewerClient, names: readonly string[]) => {
    const client = await connectPusher(url)
    const allowed = new Set<string>()
    for (const name of names) {
      const isPublic = !/^(private|presence)-/.test(name)
      const { status, body } = await scene.sign(who, client.id, name)
      if (!isPublic && status !== 200) continue
      client.subscribe(name, isPublic ? {} : body)
      allowed.add(name)
    }
    const refused = () => client.received('pusher:subscription_error')
    await eventually(() =>
      expect([...client.received('pusher_internal:subscription_succeeded'), ...refused()]).toHaveLength(
        allowed.size,
      ),
    )
    // A child does not get the public chat.
    for (const { channel } of refused()) allowed.delete(channel!)
    return { ...client, allowed }
  }
  const nameFor = (name: string, id: number) => {
    const [smaller, larger] = [id, PAT_ID].sort((a, b) => a - b)
    const parts: Record<string, number | undefined> = {
      ...{ smaller, larger, user: id, group: scene.group },
      album: scene.albums[1],
    }
    return name.replace(/:(\w+)/g, (_, part: string) => String(parts[part]))
  }
  const names = (id = 0) => allChannels.map(({ name }) => nameFor(name, id))
  const everyone: ViewerClient[] = Object.values(viewers).concat(scene.allowedChildren.map(({ who }) => who))
  const [patsRoom, patsChats] = [
    `presence-group-chat.${scene.group}`,
    everyone.flatMap(({ id }) => (id ? [nameFor('private-chat.:smaller.:larger', id)] : [])),
  ]
  const pats = await open(Pat, ['presence-here', patsRoom, ...patsChats])
  const clients = await Promise.all(everyone.map((who) => open(who, names(who.id))))
  await actAsPat(scene, pats, [patsRoom, ...patsChats])
  realtime.broadcast(['posts'], 'Last', {})
  for (const client of clients) await client.nextMessage('Last')
  await messagesArrived(...clients)
  return Promise.all(
    allChannels.map(({ name }) =>
      docTableRow(scene, `\`${name}\``, async (who) => {
        const { inbox, allowed } = clients[everyone.indexOf(who)]!
        const channel = nameFor(name, who.id ?? 0)
        const events = inbox.filter((one) => one.channel === channel)
        if (!allowed.has(channel)) return '–'
        return judge(scene, JSON.stringify(events)) === 'yes' ? 'yes' : '–'
      }),
    ),
  )
}

/**
 * Acts as Pat in every way that the table of channels covers: posts, likes, reactions, replies, typing,
 * messages and read marks. Then Founder removes Pat from the group, and Pat deletes a post.
 */
async function actAsPat(
  { Pat, Founder, group, albums, otherPost, viewers, allowedChildren }: VisibilityScene,
  pats: {
    send(event: string, data: object, channel: string): void
    sync(): Promise<void>
    allowed: Set<string>
  },
  typing: readonly string[],
) {
  const text = 'words of that person'
  const { post } = (await Pat.post('/api/posts', { text })).body
  await Pat.put(`/api/posts/${post.id}`, { text: `${text}, again` })
  await Pat.put(`/api/posts/${post.id}/like`)
  await Pat.put(`/api/posts/${otherPost}/like`)
  const reaction = `reactions/${encodeURIComponent('🎉')}`
  await Pat.put(`/api/posts/${otherPost}/${reaction}`)
  const { reply } = (await Pat.post(`/api/posts/${otherPost}/replies`, { text })).body
  await Pat.put(`/api/replies/${reply.id}`, { text: `${text}, again` })
  await Pat.put(`/api/replies/${reply.id}/like`)
  await Pat.put(`/api/replies/${reply.id}/${reaction}`)
  await Pat.delete(`/api/replies/${reply.id}`)
  for (const channel of typing) if (pats.allowed.has(channel)) pats.send('client-typing', {}, channel)
  await pats.sync()
  const { message } = (await Pat.post('/api/group-messages/send', { group_id: group, message: text })).body
  await Pat.put(`/api/chat-messages/${message.id}`, { message: `${text}, again` })
  await Pat.put(`/api/chat-messages/${message.id}/${reaction}`)
  const { id } = (await Founder.post('/api/group-messages/send', { group_id: group, message: 'Hi' })).body
    .message
  await Pat.put(`/api/groups/${group}/read`, { last_read_id: id })
  await addPicture(Pat, albums[1]!, 96)
  const others = [...Object.values(viewers), ...allowedChildren.map(({ who }) => who)]
  for (const { id: other } of others)
    await Pat.post('/api/send-private-message', { input: text, targetUserId: other })
  await Founder.delete(`/api/groups/${group}/members/${Pat.id}`)
  await Pat.delete(`/api/posts/${post.id}`)
}
