import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast } from '#web/errors.ts'
import { createRandomId } from '#web/id.ts'
import { MAX_MESSAGE_FORWARD_TARGETS, messageForwardEndpoints } from '../message-forward-contract.ts'
import {
  compareConversationsByLastActivity,
  type ListedConversation,
  toConversationKey,
} from './chat-state.ts'
import {
  toEmptyPrivateChatEntry,
  useConversationListOfKind,
  useFollowedUsersQuery,
} from './conversation-lists.ts'

/**
 * Returns the chats to which the user can forward a message: the user's private chats and groups, newest
 * first, and then the followed people without a chat. `targets` is undefined while the chats are loading.
 */
export function useMessageForwardTargets() {
  const chats = useConversationListOfKind('private')
  const groups = useConversationListOfKind('groups')
  const followed = useFollowedUsersQuery(true)
  const error = chats.error ?? groups.error ?? followed.error
  if (!chats.rows || !groups.rows || !followed.data) return { error, targets: undefined }
  const known = new Set(chats.rows.map(({ id }) => id))
  const targets = [
    ...[...chats.rows, ...groups.rows]
      .filter(({ person }) => !person?.is_former)
      .sort(compareConversationsByLastActivity),
    ...followed.data
      .filter(({ id }) => !known.has(id))
      .map(toEmptyPrivateChatEntry)
      .sort((a, b) => a.name.localeCompare(b.name)),
  ]
  return { error: null, targets }
}

/** A chat that the user has chosen in the dialog that forwards a message. */
interface Choice {
  target: ListedConversation
  /**
   * The client id of the copy. It stays the same when the user tries again, so that the server stores the
   * copy only once.
   */
  client_id: string
  /** The error of the last attempt to forward the message to this chat. */
  error?: unknown
  isSent?: boolean
}

/**
 * Returns the chosen chats by their conversation keys, and functions that choose chats and forward the
 * message to them.
 */
export function useChosenMessageForwardTargetsAndSend(message: number, onDone: (count: number) => void) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [isSending, setIsSending] = useState(false)

  function toggle(target: ListedConversation) {
    const key = toConversationKey(target)
    const next = new Map(choices)
    if (!next.delete(key) && next.size < MAX_MESSAGE_FORWARD_TARGETS)
      next.set(key, { target, client_id: createRandomId() })
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
    else if (all.some(({ error }) => isErrorWithStatus(error, 401))) showLogInPromptToast()
  }
  return { choices, toggle, send, isSending }
}

/** Forwards the message to one chosen chat. Returns the choice with the result. */
async function forward(id: number, { error: _, ...choice }: Choice): Promise<Choice> {
  const { target, client_id } = choice
  try {
    const to = target.kind === 'private' ? { user_id: target.id } : { group_id: target.id }
    await callEndpoint(messageForwardEndpoints.forward, { id, client_id, ...to })
    return { ...choice, isSent: true }
  } catch (error) {
    return { ...choice, error }
  }
}
