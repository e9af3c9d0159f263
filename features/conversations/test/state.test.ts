import { beforeEach, describe, expect, test } from 'vitest'
import type { GroupChange } from '../contract.ts'
import type { ListedConversation } from '../web/state.ts'
import * as chatState from '../web/state.ts'

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
const idsOf = (kind: 'private' | 'groups') => chatState.store.get().lists[kind]?.map(({ id }) => id)

beforeEach(() => {
  chatState.store.set({ lists: {}, unread: { private: {}, groups: {} } })
  chatState.setVisible(null)
})

describe('lists', () => {
  beforeEach(() =>
    chatState.setList('private', [
      listed('private', 1, 10),
      listed('private', 2, 5),
      listed('private', 3, 0),
    ]),
  )

  test('a new message moves its conversation to the top; an edited last message does not', () => {
    expect(chatState.setLastMessage({ kind: 'private', id: 3 }, last(11))).toBe(true)
    expect(idsOf('private')).toEqual([3, 1, 2])
    chatState.setLastMessage({ kind: 'private', id: 1 }, last(10, 'edited'))
    expect(idsOf('private')).toEqual([3, 1, 2])
    expect(chatState.store.get().lists.private?.[1]?.lastMessage?.message).toBe('edited')
  })

  test('a group that the user was just added to comes before conversations with older messages', () => {
    const at = '2026-01-01T00:00:00.001Z'
    const club = { ...listed('groups', 1, 0), addedToGroup: { at, by: null } }
    const choir = { ...listed('groups', 2, 11), addedToGroup: { at: '2025-01-01T00:00:00.000Z', by: null } }
    const rows = [listed('private', 1, 10), choir, club, listed('private', 2, 12)]
    expect(rows.sort(chatState.byActivity).map(({ name }) => name)).toEqual([
      'groups 1',
      'private 2',
      'groups 2',
      'private 1',
    ])
  })

  test('an edit of an older message changes nothing', () => {
    const before = chatState.store.get().lists.private
    expect(chatState.setLastMessage({ kind: 'private', id: 1 }, last(9, 'edited'))).toBe(true)
    expect(chatState.store.get().lists.private).toEqual(before)
  })

  test('setLastMessage returns false for a conversation that is not listed, and for a list that is not loaded', () => {
    expect(chatState.setLastMessage({ kind: 'private', id: 4 }, last(11))).toBe(false)
    expect(chatState.setLastMessage({ kind: 'groups', id: 1 }, last(11))).toBe(false)
    expect(chatState.store.get().lists.groups).toBeUndefined()
  })

  test('a group change updates the name and the number of members', () => {
    chatState.setList('groups', [listed('groups', 1, 10), listed('groups', 2, 5)])
    const change = (kind: GroupChange['kind'], name: string | null = null) =>
      chatState.applyGroupChange(2, { id: 1, kind, actor: null, person: null, name, created_at: '' })
    change('renamed', 'Choir')
    change('added')
    change('added')
    change('left')
    expect(chatState.store.get().lists.groups?.[1]).toMatchObject({ name: 'Choir', membersCount: 4 })
    expect(chatState.store.get().lists.groups?.[0]).toMatchObject({ name: 'groups 1', membersCount: 3 })
  })
})

describe('unread messages', () => {
  test('new messages are counted by conversation, up to the maximum that the server counts', () => {
    chatState.addUnread({ kind: 'private', id: 1 })
    chatState.addUnread({ kind: 'groups', id: 1 })
    chatState.addUnread({ kind: 'groups', id: 1 })
    expect(chatState.store.get().unread).toEqual({ private: { 1: 1 }, groups: { 1: 2 } })
    chatState.setUnread({ kind: 'groups', id: 1 }, 1000)
    chatState.addUnread({ kind: 'groups', id: 1 })
    expect(chatState.getUnread({ kind: 'groups', id: 1 })).toBe(100)
  })

  test('messages of the visible conversation are not counted', () => {
    chatState.setVisible({ kind: 'private', id: 1 })
    chatState.addUnread({ kind: 'private', id: 1 })
    chatState.addUnread({ kind: 'groups', id: 1 })
    expect(chatState.store.get().unread).toEqual({ private: {}, groups: { 1: 1 } })
  })
})
