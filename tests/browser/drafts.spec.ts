import type { Page } from '@playwright/test'
import { annAndBen, messageBox, openChat } from './chat-helpers.ts'
import { expect, fetchJson, PASSWORD, type PageMember, test } from './fixture.ts'
import type { Seat } from './seats.ts'

async function onPhone(seat: () => Promise<Seat>, { email }: PageMember) {
  const { page } = await seat()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.request.get('/sanctum/csrf-cookie')
  await fetchJson(page, 'POST', '/login', { email, password: PASSWORD })
  return page
}

const post = (page: Page) => page.getByRole('textbox', { name: 'Text of the post' })
/** Resolves when the server has the next draft. */
const kept = (page: Page) =>
  page.waitForResponse(
    (answer) => answer.url().endsWith('/api/drafts') && answer.request().method() === 'PUT' && answer.ok(),
  )

test('what a member writes is there on another device, until it is sent', async ({ member, seat }) => {
  const { ann, ben } = await annAndBen(member)
  const phone = await onPhone(seat, ann)
  await ann.page.goto('/post')
  await ann.page.getByRole('combobox', { name: 'Who can see this' }).selectOption('followers')
  await post(ann.page).fill('Bring a cup')
  await kept(ann.page)

  await phone.goto('/post')
  await expect(post(phone)).toHaveValue('Bring a cup')
  await expect(phone.getByRole('combobox', { name: 'Who can see this' })).toHaveValue('followers')
  await post(phone).press('End')
  await post(phone).pressSequentially(' and a spoon')
  await kept(phone)
  await ann.page.reload()
  await expect(post(ann.page)).toHaveValue('Bring a cup and a spoon')

  const sent = kept(ann.page)
  await ann.page.getByRole('button', { name: 'Post', exact: true }).click()
  await sent
  await phone.reload()
  await expect(post(phone)).toHaveValue('')

  await openChat({ ...ann, page: phone }, ben)
  await messageBox(phone).fill('Are you coming')
  await kept(phone)
  await ann.page.goto('/chats')
  await openChat(ann, ben)
  await expect(messageBox(ann.page)).toHaveValue('Are you coming')
})

test('what was written without a connection stays, and wins if it is newer', async ({ member, seat }) => {
  const ann = await member('Ann')
  const phone = await onPhone(seat, ann)
  await phone.goto('/post')
  await post(phone).fill('On the phone')
  await kept(phone)
  await ann.page.goto('/post')
  await expect(post(ann.page)).toHaveValue('On the phone')
  await ann.page.context().setOffline(true)
  await post(ann.page).fill('On the desk')
  await ann.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/drafts'))
  await ann.page.context().setOffline(false)
  const answer = kept(ann.page)
  await ann.page.reload()
  await expect(post(ann.page)).toHaveValue('On the desk')
  await answer
  await phone.reload()
  await expect(post(phone)).toHaveValue('On the desk')
})
