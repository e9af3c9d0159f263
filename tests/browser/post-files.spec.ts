import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { onePage } from '#tests/pdf.ts'
import { annAndBen, messageLog, openChat } from './chat-helpers.ts'
import { chooseFiles } from './choose-files.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

const mimeType = 'application/pdf'
const circular = { name: '回覧板 11月.pdf', mimeType, buffer: onePage(['Circular', 'No. 11']) }
const locked = { name: 'locked.pdf', mimeType, buffer: onePage(['Secret'], { isLocked: true }) }
const broken = { name: 'broken.pdf', mimeType, buffer: Buffer.from('%PDF-1.7\nHi') }
const list = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n') }
const program = { name: 'setup.exe', mimeType: '', buffer: Buffer.from('MZ') }

const isDrawn = (image: Locator) =>
  expect.poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)).toBe(320)

test('a post has files, and the first page of a PDF as its picture', async ({ member }) => {
  const { ann, ben } = { ann: await member('Ann'), ben: await member('Ben') }
  const { page } = ann
  await page.goto('/post')
  await chooseFiles(page, circular, list, program)
  await expect(page.getByText('setup.exe cannot be sent.')).toBeVisible()
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByRole('listitem')).toHaveText([/回覧板 11月\.pdf.*PDF/, /list\.csv.*Table/])
  await expect(page.getByText('Saved as a draft.')).toBeVisible()
  await page.reload()
  await chosen.getByRole('button', { name: 'Remove list.csv' }).click()
  await expect(chosen.getByRole('button', { name: `Remove ${circular.name}` })).toBeFocused()
  await chooseFiles(page, list, locked, broken)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Post submitted successfully.')

  await ben.page.goto('/')
  const files = ben.page.getByRole('list', { name: 'Files' })
  await expect(files.getByRole('listitem')).toHaveText(
    [circular, list, locked, broken].map(({ name }) => new RegExp(name)),
  )
  const picture = files.getByRole('img')
  await expect(picture).toHaveCount(1)
  await expect(picture).toHaveAccessibleName(`First page of ${circular.name}`)
  await picture.scrollIntoViewIfNeeded()
  await isDrawn(picture)
  await expectAccessible(ben.page)
  await expectNoOverflow(ben.page)
  await ben.page.getByRole('button', { name: 'Profile: Ben' }).click()
  await ben.page.getByRole('link', { name: 'Circulars' }).click()
  await expect(ben.page).toHaveURL('/circulars')
  await isDrawn(picture)
  const download = ben.page.waitForEvent('download')
  await files.getByRole('link', { name: circular.name }).first().click()
  expect((await download).suggestedFilename()).toBe(circular.name)
  expect(await readFile(await (await download).path())).toEqual(circular.buffer)
})

test('replies and messages have files too', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await ann.page.goto('/post')
  await ann.page.getByRole('textbox', { name: 'Text of the post' }).fill('What is new?')
  await ann.page.getByRole('button', { name: 'Post', exact: true }).click()
  const posts = ann.page.getByRole('article', { name: 'Post by Ann' })
  await posts.first().getByRole('link', { name: 'just now' }).click()
  await chooseFiles(ann.page, circular)
  await ann.page.getByRole('button', { name: 'Reply', exact: true }).click()
  const reply = ann.page.getByRole('article', { name: 'Reply by Ann' })
  await isDrawn(reply.getByRole('img', { name: `First page of ${circular.name}` }))
  await ann.page.goto('/')
  await expect(posts.first().getByText('1 file')).toBeVisible()

  await openChat(ann, ben)
  await openChat(ben, ann)
  await chooseFiles(ann.page, circular)
  await ann.page.getByRole('button', { name: 'Send' }).click()
  await isDrawn(messageLog(ben.page).getByRole('img', { name: `First page of ${circular.name}` }))
})
