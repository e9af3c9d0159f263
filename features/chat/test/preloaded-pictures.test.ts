import { expect, test } from 'vitest'
import { createTestAppWithConversation, testedConversationKinds } from '#tests/conversations.ts'
import { createTestFormData } from '#tests/harness.ts'
import { createFourColourSharpTestPicture, createTestUploadFile } from '#tests/pictures.ts'

const html = { accept: 'text/html' }

test.each(testedConversationKinds)(
  'the page of a %s chat preloads the newest picture among the last messages, only for its members',
  async (kind) => {
    const { ann, ben, eve, sendPath, target, targetId, sendMessage } = await createTestAppWithConversation(
      'sqlite',
      kind,
    )
    const page = (who: typeof ann) =>
      kind === 'private'
        ? `/privatechat/${who === eve ? ann.id : targetId(who)}`
        : `/group-chat/${targetId(ann)}`
    const preloaded = async (who: typeof ann) =>
      /<link rel="preload" as="image"[^>]*>/.exec((await who.get(page(who), html)).body)?.[0]
    const sendPicture = async () => {
      const bytes = await createFourColourSharpTestPicture(700, 350).jpeg().toBuffer()
      const form = createTestFormData(
        { [target]: String(targetId(ann)) },
        { 'images[]': [await createTestUploadFile(bytes, 'a.jpg')] },
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
