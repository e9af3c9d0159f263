import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { CHANGED_EVENT } from '#features/notifications/contract.ts'
import {
  createTestApp,
  type Dialect,
  formData,
  type TestApp,
  type TestAppOptions,
  type TestClient,
} from '#tests/harness.ts'

export type Actor = TestClient & { id: number }
export const conversationKinds = ['private', 'group'] as const
export type ConversationKind = (typeof conversationKinds)[number]

/** An id in a valid format that no row has. */
export const UNUSED_ID = 999_999_999_999_999
/** Texts that are not valid ids. */
export const invalidIds = ['0', '-1', 'x', '1.5', '9'.repeat(30)]

/**
 * Creates a test app with the members ann, ben and eve, and a conversation between ann and ben: a private
 * chat of members who follow each other, or a group whose admin is ann and which ben has opened. eve is not
 * in the conversation. Returns the app with functions that work in the same way for both kinds.
 */
export async function conversationScene(
  dialect: Dialect,
  kind: ConversationKind,
  options: TestAppOptions = {},
) {
  const testApp = await createTestApp({ dialect, ...options })
  const { ann, ben, eve } = await testApp.members('ann', 'ben', 'eve')
  const group = kind === 'group' ? await createGroup(ann, 'Club', ben) : 0
  if (kind === 'private') await befriend(ann, ben)
  else await openGroup(ben, group)
  const isPrivate = kind === 'private'
  const other = (who: Actor) => (who.id === ann.id ? ben : ann)
  /**
   * Returns the id in the URLs of the conversation when the member `who` requests them: the id of the other
   * member or of the group.
   */
  const targetId = (who: Actor) => (isPrivate ? other(who).id : group)
  const calls = isPrivate
    ? { sendPath: '/api/send-private-message', field: 'input', target: 'targetUserId', from: 'from_user_id' }
    : { sendPath: '/api/group-messages/send', field: 'message', target: 'group_id', from: 'user_id' }
  const fields = (who: Actor, text: unknown, more: object = {}) => ({
    [calls.target]: targetId(who),
    [calls.field]: text,
    ...more,
  })
  const conversation = (who: Actor) =>
    isPrivate ? `/api/conversations/${targetId(who)}` : `/api/groups/${targetId(who)}`
  const history = (who: Actor, query = '') =>
    `/api/${isPrivate ? 'messages' : 'group-messages'}/${targetId(who)}${query}`
  return {
    ...testApp,
    ann,
    ben,
    eve,
    group,
    ...calls,
    targetId,
    history,
    conversation,
    channel: isPrivate ? `private-chat.${ann.id}.${ben.id}` : `private-group-chat.${group}`,
    events: isPrivate
      ? { sent: 'PrivateMessageSent', changed: 'PrivateMessageChanged' }
      : { sent: 'GroupMessageSent', changed: 'GroupMessageChanged' },
    /** Sends a message as the member `who`. Returns the response, also if the server refuses the message. */
    trySend: (who: Actor, text: unknown, more: object = {}) =>
      who.post(calls.sendPath, fields(who, text, more)),
    async sendMessage(who: Actor, text: string, more: object = {}): Promise<SentMessage> {
      return sent(await who.post(calls.sendPath, fields(who, text, more)))
    },
    trySendPictures: (
      who: Actor,
      files: readonly File[],
      more: Record<string, string | readonly string[]> = {},
    ) =>
      who.post(
        calls.sendPath,
        formData({ [calls.target]: String(targetId(who)), ...more }, { 'images[]': files }),
      ),
    async readHistory(who: Actor, query = ''): Promise<SentMessage[]> {
      const answer = await who.get(history(who, query))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    },
    editMessage: (who: Actor, id: number | string, message: unknown) =>
      who.send('PUT', `/api/chat-messages/${id}`, { message }),
    deleteMessage: (who: Actor, id: number | string) => who.delete(`/api/chat-messages/${id}`),
    markRead: (who: Actor, last_read_id: unknown) =>
      who.send('PUT', `${conversation(who)}/read`, { last_read_id }),
    async unreadCount(who: Actor): Promise<number> {
      const { body } = await who.get('/api/unread')
      return body[isPrivate ? 'private' : 'groups'][targetId(who)] ?? 0
    },
  }
}

export interface SentMessage {
  id: number
  message: string
  created_at: string
  client_id: string | null
  images: { id: number; path: string; srcset: string; alt: string | null }[]
  edited_at: string | null
  deleted_at: string | null
}

function sent({ status, body }: Awaited<ReturnType<TestClient['post']>>): SentMessage {
  expect(status, JSON.stringify(body)).toBe(200)
  return body.message
}

export const sendPrivate = async (from: TestClient, to: Actor, input: string, more: object = {}) =>
  sent(await from.post('/api/send-private-message', { input, targetUserId: to.id, ...more }))

export const sendToGroup = async (from: TestClient, group_id: number, message: string, more: object = {}) =>
  sent(await from.post('/api/group-messages/send', { message, group_id, ...more }))

export async function befriend(one: Actor, two: Actor) {
  await one.post(`/api/follow/${two.id}`)
  await two.post(`/api/follow/${one.id}`)
}

/** Creates a group with these members and with `admin` as its admin. Returns the id of the group. */
export async function createGroup(
  admin: TestClient,
  name: string,
  ...others: readonly Actor[]
): Promise<number> {
  const { status, body } = await admin.post('/api/groups', { name })
  expect(status, JSON.stringify(body)).toBe(201)
  for (const { id } of others)
    expect((await admin.post(`/api/groups/${body.group.id}/add-user`, { user_id: id })).status).toBe(200)
  return body.group.id
}

/**
 * Marks a group as opened by the member `who`: requests to mark all messages up to the id 0 as read, which
 * opens the group but leaves every message unread.
 */
export const openGroup = async (who: TestClient, group: number) =>
  expect((await who.send('PUT', `/api/groups/${group}/read`, { last_read_id: 0 })).status).toBe(200)

/** Returns the URL of the next page of a list, from the Link header of a response; null on the last page. */
export const nextPageUrl = ({ headers }: { headers: Record<string, unknown> }) =>
  /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1] ?? null

/** Requests a list page by page, following the Link headers. Returns all pages, each as an array. */
export async function eachPage<T = SentMessage>(who: TestClient, path: string): Promise<T[][]> {
  const pages: T[][] = []
  for (let next: string | null = path; next !== null; ) {
    const answer = await who.get(next)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    pages.push(answer.body)
    expect(pages.length).toBeLessThan(200)
    next = nextPageUrl(answer)
  }
  return pages
}

/**
 * Records the real-time events that the app broadcasts from now on. `recorded(event)` returns the events with
 * that name, oldest first. `recorded()` returns all events except those with the name
 * CHANGED_EVENT.
 */
export function spyOnBroadcasts({ context }: Pick<TestApp, 'context'>) {
  const send = vi.spyOn(context.realtime, 'broadcast')
  const recorded = (event?: string) =>
    send.mock.calls
      .filter(([, name]) => (event === undefined ? name !== CHANGED_EVENT : name === event))
      .map(([to, name, data]) => ({ to: [...to], event: name, data: JSON.parse(JSON.stringify(data)) }))
  return { recorded, clear: () => send.mockClear() }
}

export const userChannels = (...people: readonly Actor[]) => people.map(({ id }) => `presence-user.${id}`)

/** Returns the names of all picture files in the data folder of a test app. */
export const pictureFiles = ({ folder }: Pick<TestApp, 'folder'>) => readdir(join(folder, 'media'))
