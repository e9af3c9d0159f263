import { callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { MAX_QUOTED_TEXT_LENGTH, privateChatAndMessageEndpoints, type QuotedMessage } from '../contract.ts'
import type { ConversationState, ShownMessage } from './conversation.ts'

/**
 * Changes all loaded messages of a conversation with `change`: the newest messages, and the earlier messages
 * of `window`.
 */
export function changeLoadedMessages(
  state: Store<ConversationState>,
  change: (messages: readonly ShownMessage[]) => readonly ShownMessage[],
) {
  state.patch({ messages: change(state.get().messages) })
  const shown = state.get().window?.state
  shown?.patch({ messages: change(shown.get().messages) })
}

/** Creates the functions that edit and delete a message, on the server and among the loaded messages. */
export function createMessageEditAndDeleteFunctions(state: Store<ConversationState>) {
  function mergeChange(
    message: ShownMessage,
    answer: Pick<ShownMessage, 'message' | 'edited_at' | 'deleted_at'>,
  ) {
    changeLoadedMessages(state, (messages) => {
      const latest = messages.find(({ id }) => id === message.id) ?? message
      const content = answer.deleted_at && {
        images: [],
        files: undefined,
        quoted: undefined,
        forwarded: undefined,
      }
      return replaceMessageAndQuotesOfIt(messages, { ...latest, ...answer, ...content })
    })
  }
  return {
    edit: async (message: ShownMessage, text: string) =>
      mergeChange(
        message,
        await callEndpoint(privateChatAndMessageEndpoints.edit, { id: message.id, message: text }),
      ),
    remove: async (message: ShownMessage) =>
      mergeChange(message, await callEndpoint(privateChatAndMessageEndpoints.remove, { id: message.id })),
  }
}

/**
 * Returns the messages, of which those with an id below `before` have lost their pictures and files and count
 * them as removed.
 */
export const toMessageListWithoutAttachmentsBelowId = (messages: readonly ShownMessage[], before: number) =>
  messages.map((message) => {
    const { id, images, files = [], removed_images = 0 } = message
    const count = images.length + files.length
    if (id >= before || !count) return message
    return { ...message, images: [], files: undefined, removed_images: removed_images + count }
  })

/** Converts a loaded message to a `QuotedMessage`, which other messages that quote it show. */
export const toQuotedMessage = ({
  id,
  author,
  message,
  images,
  files,
  deleted_at,
}: ShownMessage): QuotedMessage => ({
  ...{ id, user: author, text: message.slice(0, MAX_QUOTED_TEXT_LENGTH), deleted_at },
  images_count: images.length,
  ...(files && { files_count: files.length }),
  ...(files?.[0]?.voice && { is_voice: true }),
})

/**
 * Returns the messages with `changed` in place of the message with the same id, and with changed quotes of
 * it. Returns the same array if it has neither.
 */
export function replaceMessageAndQuotesOfIt(messages: readonly ShownMessage[], changed: ShownMessage) {
  const { id: changedId } = changed
  if (!messages.some(({ id, quoted }) => id === changedId || quoted?.id === changedId)) return messages
  return messages.map((message) => {
    if (message.id === changedId) return changed
    return message.quoted?.id === changedId ? { ...message, quoted: toQuotedMessage(changed) } : message
  })
}

/** Returns the messages without those with an id below `before`, and without the quotes of those. */
export const toMessageListWithoutMessagesBelowId = (messages: readonly ShownMessage[], before: number) =>
  messages
    .filter(({ id }) => id >= before)
    .map((message) =>
      message.quoted && message.quoted.id < before ? { ...message, quoted: undefined } : message,
    )
