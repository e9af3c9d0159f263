import { readFile, truncate, writeFile } from 'node:fs/promises'
import { annAndBen, messageBox, messageLog, openChat } from './chat-helpers.ts'
import { chooseFiles } from './choose-files.ts'
import { expect, test } from './fixture.ts'

const letter = {
  name: 'Letter to the class.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\nHi'),
}
const unsent = { ...letter, name: 'Letter of thanks.pdf' }
const list = { name: '名簿.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n') }
const program = { name: 'setup.exe', mimeType: '', buffer: Buffer.from('MZ') }

test('files are chosen, removed, sent and saved, and unsent files survive a reload', async ({
  member,
}, testInfo) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  await chooseFiles(ann.page, letter, list, program)
  await expect(ann.page.getByText('setup.exe cannot be sent.')).toBeVisible()
  const chosen = ann.page.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByRole('listitem')).toHaveText([/Letter to the class\.pdf/, /名簿\.csv/])
  // A file on the disk is not copied to the browser, which would take long.
  const big = testInfo.outputPath('long.zip')
  await writeFile(big, 'PK')
  await truncate(big, 26 * 2 ** 20)
  await chooseFiles(ann.page, big)
  await expect(ann.page.getByText('long.zip is larger than 25 MB.')).toBeVisible()
  await chosen.getByRole('button', { name: 'Remove 名簿.csv' }).click()
  await expect(chosen.getByRole('button', { name: 'Remove Letter to the class.pdf' })).toBeFocused()
  await chooseFiles(ann.page, list)
  await ann.page.getByRole('button', { name: 'Send' }).click()
  await expect(chosen).toHaveCount(0)
  const files = messageLog(ben.page).locator('.attached-files')
  await expect(files.getByRole('listitem')).toHaveCount(2)
  await expect(files).toContainText('PDF · 1 kB')
  const download = ben.page.waitForEvent('download')
  await files.getByRole('link', { name: 'Download 名簿.csv' }).last().click()
  expect((await download).suggestedFilename()).toBe('名簿.csv')
  expect(await readFile(await (await download).path(), 'utf8')).toBe('a,b\n')
  await ben.page.goto('/chats')
  await expect(ben.page.getByText('File', { exact: false }).first()).toBeVisible()

  await ann.page.route('**/api/send-private-message', (route) => route.abort())
  await chooseFiles(ann.page, unsent)
  await messageBox(ann.page).press('Enter')
  await expect(messageLog(ann.page).getByText('Waiting')).toBeVisible()
  await ann.page.unrouteAll()
  await ann.page.reload()
  await expect(messageLog(ann.page).getByText(unsent.name)).toBeVisible()
  await expect(messageLog(ann.page).getByRole('link', { name: unsent.name }).first()).toBeVisible()
})
