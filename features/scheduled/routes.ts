import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import * as chats from '#features/conversations/read.ts'
import { imageWidths } from '#features/posts/read-images.ts'
import type { Content, Target } from './content.ts'
import type { scheduledEndpoints } from './contract.ts'
import type { countEndpoints } from './count-contract.ts'
import * as delivery from './delivery.ts'
import * as model from './model.ts'
import * as read from './read.ts'

const messages = {
  nothing: {
    en: 'Write something or add a picture or file.',
    ja: '文章を入力するか、画像かファイルを追加してください。',
  },
  target: {
    en: 'Choose one person or one group.',
    ja: '送り先として、1人または1つのグループを選んでください。',
  },
}

type AddContext = RequestContext<typeof scheduledEndpoints.addPost | typeof scheduledEndpoints.addMessage>

async function add(context: AddContext, field: string, target: Target, content: Content) {
  const { media, files, input } = context
  if (!content.body && !files.length) throw fieldError(field, messages.nothing)
  const { due_at, client_id, preview_of, alt: descriptions } = input
  model.requireTime(due_at)
  const added = await media.store(files, imageWidths, (pictures, stored, previews) => {
    const attachments = { pictures, files: stored, previews, preview_of, descriptions }
    return model.add(context, { target, content, attachments, due_at, client_id })
  })
  return { ...added, ...(await read.count(context)) }
}

export const scheduledHandlers: Handlers<typeof scheduledEndpoints> = {
  list: (context) => read.list(context, context.lang),
  addPost: (context) => {
    const { text: body, audience, group_id, extras } = context.input
    return add(context, 'text', { kind: 'post' }, { body, audience, group_id, extras })
  },
  addMessage: async (context) => {
    const { message: body, user_id, group_id, quotes_id = null, extras } = context.input
    if ((user_id === undefined) === (group_id === undefined)) throw fieldError('user_id', messages.target)
    const target: Target =
      user_id === undefined ? { kind: 'group', id: group_id! } : { kind: 'person', id: user_id }
    // Before the pictures are stored, which takes time. The transaction checks again.
    if (target.kind === 'person') await chats.requirePrivate(context, target.id)
    else await chats.requireMember(context, target.id)
    return add(context, 'message', target, { body, extras, quotes_id })
  },
  change: (context) => {
    const { id, due_at, text } = context.input
    return model.change(context, id, due_at, text)
  },
  sendNow: async (context) => {
    await delivery.sendNow(context, context.input.id)
    return read.count(context)
  },
  cancel: async (context) => {
    await model.cancel(context, context.input.id)
    return read.count(context)
  },
}

export const countHandlers: Handlers<typeof countEndpoints> = { get: (context) => read.count(context) }
