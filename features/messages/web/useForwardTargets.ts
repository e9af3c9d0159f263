import { useState } from 'react'
import { toEmptyChat, useConversations, useFollowedUsers } from '#features/conversations/web/lists.ts'
import type { ListedConversation } from '#features/conversations/web/state.ts'
import * as chatState from '#features/conversations/web/state.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast } from '#web/errors.ts'
import { randomId } from '#web/id.ts'
import { forwardEndpoints, MAX_TARGETS } from '../contract.ts'

/** Chats, newest first, then followed people without a chat. `targets` is undefined while they load. */
export function useForwardTargets() {
  const chats = useConversations('private')
  const groups = useConversations('groups')
  const followed = useFollowedUsers(true)
  const error = chats.error ?? groups.error ?? followed.error
  if (!chats.rows || !groups.rows || !followed.data) return { error, targets: undefined }
  const known = new Set(chats.rows.map(({ id }) => id))
  const targets = [
    ...[...chats.rows, ...groups.rows].filter(({ person }) => !person?.is_former).sort(chatState.byActivity),
    ...followed.data
      .filter(({ id }) => !known.has(id))
      .map(toEmptyChat)
      .sort((a, b) => a.name.localeCompare(b.name)),
  ]
  return { error: null, targets }
}

interface Choice {
  target: ListedConversation
  /** Stays the same when the user tries again, so that the server stores the copy only once. */
  client_id: string
  error?: unknown
  isSent?: boolean
}

/** The chosen chats are by conversation key. */
export function useForward(message: number, onDone: (count: number) => void) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [isSending, setIsSending] = useState(false)

  function toggle(target: ListedConversation) {
    const key = chatState.keyOf(target)
    const next = new Map(choices)
    if (!next.delete(key) && next.size < MAX_TARGETS) next.set(key, { target, client_id: randomId() })
    setChoices(next)
  }

  async function send() {
    setIsSending(true)
    const next = new Map(choices)
    for (const [key, choice] of choices) {
      if (choice.isSent) continue
      next.set(key, await forward(message, choice))
      setChoices(new Map(next))
    }
    setIsSending(false)
    const all = [...next.values()]
    if (all.every(({ isSent }) => isSent)) onDone(all.length)
    else if (all.some(({ error }) => hasStatus(error, 401))) showLogInToast()
  }
  return { choices, toggle, send, isSending }
}

/** Returns the choice with the result. */
async function forward(id: number, { error: _, ...choice }: Choice): Promise<Choice> {
  const { target, client_id } = choice
  try {
    const to = target.kind === 'private' ? { user_id: target.id } : { group_id: target.id }
    await callEndpoint(forwardEndpoints.forward, { id, client_id, ...to })
    return { ...choice, isSent: true }
  } catch (error) {
    return { ...choice, error }
  }
}
