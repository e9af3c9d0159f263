import { shorten } from '#core/text/shorten.ts'
import { countAttached } from '#features/conversations/attached-contract.ts'
import type { QuotedMessage } from '#features/conversations/message-schemas.ts'
import { callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { MAX_QUOTED, messageEndpoints } from '../contract.ts'
import type { ConversationState, ShownMessage } from './conversation.ts'

/** Changes the newest messages, and the earlier ones of `window`. */
export function update(
  state: Store<ConversationState>,
  change: (messages: readonly ShownMessage[]) => readonly ShownMessage[],
) {
  state.patch({ messages: change(state.get().messages) })
  const shown = state.get().window?.state
  shown?.patch({ messages: change(shown.get().messages) })
}

/** Each changes the message on the server and among the loaded ones. */
export function createEdits(state: Store<ConversationState>) {
  function mergeChange(
    message: ShownMessage,
    answer: Pick<ShownMessage, 'message' | 'edited_at' | 'deleted_at'>,
  ) {
    update(state, (messages) => {
      const latest = messages.find(({ id }) => id === message.id) ?? message
      const content = answer.deleted_at && {
        images: [],
        files: undefined,
        quoted: undefined,
        forwarded: undefined,
      }
      return replace(messages, { ...latest, ...answer, ...content })
    })
  }
  return {
    edit: async (message: ShownMessage, text: string) =>
      mergeChange(message, await callEndpoint(messageEndpoints.edit, { id: message.id, message: text })),
    remove: async (message: ShownMessage) =>
      mergeChange(message, await callEndpoint(messageEndpoints.remove, { id: message.id })),
  }
}

/** Messages with an id below `before` lose their pictures and files, and count them as removed. */
export const withoutFiles = (messages: readonly ShownMessage[], before: number) =>
  messages.map((message) => {
    const { id, images, files = [], removed_images = 0 } = message
    const count = images.length + files.length
    if (id >= before || !count) return message
    return { ...message, images: [], files: undefined, removed_images: removed_images + count }
  })

export const toQuoted = ({
  id,
  author,
  message,
  images,
  files,
  deleted_at,
}: ShownMessage): QuotedMessage => ({
  ...{ id, user: author, text: shorten(message, MAX_QUOTED, ''), deleted_at },
  ...countAttached({ images, files }),
})

/** Also changes quotes of the message. Returns the same array if nothing changes. */
export function replace(messages: readonly ShownMessage[], changed: ShownMessage) {
  const { id: changedId } = changed
  if (!messages.some(({ id, quoted }) => id === changedId || quoted?.id === changedId)) return messages
  return messages.map((message) => {
    if (message.id === changedId) return changed
    return message.quoted?.id === changedId ? { ...message, quoted: toQuoted(changed) } : message
  })
}

/** Also removes the quotes of those messages. */
export const withoutOlder = (messages: readonly ShownMessage[], before: number) =>
  messages
    .filter(({ id }) => id >= before)
    .map((message) =>
      message.quoted && message.quoted.id < before ? { ...message, quoted: undefined } : message,
    )
