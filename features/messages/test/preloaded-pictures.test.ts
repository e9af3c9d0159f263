import { expect, test } from 'vitest'
import { conversationKinds, conversationScene } from '#tests/conversations.ts'
import { formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const html = { accept: 'text/html' }

test.each(conversationKinds)(
  'the page of a %s chat preloads the newest picture among the last messages, only for its members',
  async (kind) => {
    const { ann, ben, eve, sendPath, target, targetId, sendMessage } = await conversationScene('sqlite', kind)
    const page = (who: typeof ann) =>
      kind === 'private'
        ? `/privatechat/${who === eve ? ann.id : targetId(who)}`
        : `/group-chat/${targetId(ann)}`
    const preloaded = async (who: typeof ann) =>
      /<link id="picture" as="image"[^>]*>/.exec((await who.get(page(who), html)).body)?.[0]
    const sendPicture = async () => {
      const bytes = await fourColours(700, 350).jpeg().toBuffer()
      const form = formData(
        { [target]: String(targetId(ann)) },
        { 'images[]': [await uploadFile(bytes, 'a.jpg')] },
      )
      return (await ann.post(sendPath, form)).body.message.images[0]
    }
    expect(await preloaded(ben)).toBeUndefined()
    const [older, newer] = [await sendPicture(), await sendPicture()]
    const link = await preloaded(ben)
    expect(link).not.toContain('fetchpriority')
    expect(link).toContain(`href="${newer.path}" imagesrcset="${newer.srcset}" imagesizes="314px"`)
    expect(link).not.toContain(older.path)
    expect(await preloaded(eve)).toBeUndefined()
    for (let n = 0; n < 8; n++) await sendMessage(ben, `text ${n}`)
    expect(await preloaded(ben)).toBeUndefined()
  },
)
