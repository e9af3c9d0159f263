import { beforeEach, describe, expect, test } from 'vitest'
import type { GroupChange } from '../group-contract.ts'
import {
  applyGroupChangeToConversationList,
  chatStateStore,
  compareConversationsByLastActivity,
  getConversationUnreadCount,
  incrementLocalUnreadCountUnlessVisible,
  type ListedConversation,
  setConversationList,
  setConversationShowingNewestMessages,
  setLastMessageInConversationList,
  setLocalConversationUnreadCount,
} from '../web/chat-state.ts'

const last = (id: number, message = `message ${id}`) => ({
  id,
  user_id: 1,
  name: 'Ann',
  message,
  images_count: 0,
  deleted_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
})
const listed = (kind: 'private' | 'groups', id: number, lastId: number): ListedConversation => ({
  kind,
  id,
  name: `${kind} ${id}`,
  person: null,
  membersCount: 3,
  lastMessage: lastId ? last(lastId) : null,
  addedToGroup: null,
})
const idsOf = (kind: 'private' | 'groups') => chatStateStore.get().lists[kind]?.map(({ id }) => id)

beforeEach(() => {
  chatStateStore.set({ lists: {}, unread: { private: {}, groups: {} } })
  setConversationShowingNewestMessages(null)
})

describe('lists', () => {
  beforeEach(() =>
    setConversationList('private', [
      listed('private', 1, 10),
      listed('private', 2, 5),
      listed('private', 3, 0),
    ]),
  )

  test('a new message moves its conversation to the top; an edited last message does not', () => {
    expect(setLastMessageInConversationList({ kind: 'private', id: 3 }, last(11))).toBe(true)
    expect(idsOf('private')).toEqual([3, 1, 2])
    setLastMessageInConversationList({ kind: 'private', id: 1 }, last(10, 'edited'))
    expect(idsOf('private')).toEqual([3, 1, 2])
    expect(chatStateStore.get().lists.private?.[1]?.lastMessage?.message).toBe('edited')
  })

  test('a group that the user was just added to comes before conversations with older messages', () => {
    const at = '2026-01-01T00:00:00.001Z'
    const club = { ...listed('groups', 1, 0), addedToGroup: { at, by: null } }
    const choir = { ...listed('groups', 2, 11), addedToGroup: { at: '2025-01-01T00:00:00.000Z', by: null } }
    const rows = [listed('private', 1, 10), choir, club, listed('private', 2, 12)]
    expect(rows.sort(compareConversationsByLastActivity).map(({ name }) => name)).toEqual([
      'groups 1',
      'private 2',
      'groups 2',
      'private 1',
    ])
  })

  test('an edit of an older message changes nothing', () => {
    const before = chatStateStore.get().lists.private
    expect(setLastMessageInConversationList({ kind: 'private', id: 1 }, last(9, 'edited'))).toBe(true)
    expect(chatStateStore.get().lists.private).toEqual(before)
  })

  test('setLastMessage returns false for a conversation that is not listed, and for a list that is not loaded', () => {
    expect(setLastMessageInConversationList({ kind: 'private', id: 4 }, last(11))).toBe(false)
    expect(setLastMessageInConversationList({ kind: 'groups', id: 1 }, last(11))).toBe(false)
    expect(chatStateStore.get().lists.groups).toBeUndefined()
  })

  test('a group change updates the name and the number of members', () => {
    setConversationList('groups', [listed('groups', 1, 10), listed('groups', 2, 5)])
    const change = (kind: GroupChange['kind'], name: string | null = null) =>
      applyGroupChangeToConversationList(2, { id: 1, kind, actor: null, person: null, name, created_at: '' })
    change('renamed', 'Choir')
    change('added')
    change('added')
    change('left')
    expect(chatStateStore.get().lists.groups?.[1]).toMatchObject({ name: 'Choir', membersCount: 4 })
    expect(chatStateStore.get().lists.groups?.[0]).toMatchObject({ name: 'groups 1', membersCount: 3 })
  })
})

describe('unread messages', () => {
  test('new messages are counted by conversation, up to the maximum that the server counts', () => {
    incrementLocalUnreadCountUnlessVisible({ kind: 'private', id: 1 })
    incrementLocalUnreadCountUnlessVisible({ kind: 'groups', id: 1 })
    incrementLocalUnreadCountUnlessVisible({ kind: 'groups', id: 1 })
    expect(chatStateStore.get().unread).toEqual({ private: { 1: 1 }, groups: { 1: 2 } })
    setLocalConversationUnreadCount({ kind: 'groups', id: 1 }, 1000)
    incrementLocalUnreadCountUnlessVisible({ kind: 'groups', id: 1 })
    expect(getConversationUnreadCount({ kind: 'groups', id: 1 })).toBe(100)
  })

  test('messages of the visible conversation are not counted', () => {
    setConversationShowingNewestMessages({ kind: 'private', id: 1 })
    incrementLocalUnreadCountUnlessVisible({ kind: 'private', id: 1 })
    incrementLocalUnreadCountUnlessVisible({ kind: 'groups', id: 1 })
    expect(chatStateStore.get().unread).toEqual({ private: {}, groups: { 1: 1 } })
  })
})
