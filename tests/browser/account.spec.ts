import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import { expect, MEMBER_PASSWORD, type MemberWithPage, test } from './fixture.ts'

const NEW_PASSWORD = 'seven paper lanterns'

/** Opens a window of another device, and logs the member in there. */
async function openOtherDevice(browser: Browser, url: string, member: MemberWithPage) {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-GB' })).newPage()
  await logIn(page, member.email, MEMBER_PASSWORD)
  return page
}

async function logIn(page: Page, email: string, given: string) {
  await page.goto('/login')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(given)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

async function changePassword(page: Page) {
  const form = section(page, 'Password')
  await form.getByLabel('Current password').fill(MEMBER_PASSWORD)
  await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await form.getByLabel('New password again').fill(NEW_PASSWORD)
  await form.getByRole('button', { name: 'Change password' }).click()
}

/** Waits for a mail to an address whose link contains `part`, and returns the link. */
async function waitForMailedLink(folder: string, email: string, part: string) {
  const read = () => readMailedLink(folder, email).catch(() => null)
  await expect.poll(async () => (await read())?.href).toContain(part)
  return (await read())!
}

/** Returns the link in the newest mail to an address. */
async function readMailedLink(folder: string, email: string) {
  const mails = join(folder, 'mail')
  for (const file of (await readdir(mails)).sort().reverse()) {
    const { to, text } = await PostalMime.parse(await readFile(join(mails, file)))
    if (to?.[0]?.address === email) return new URL(/^https?:\S+$/m.exec(text!)![0])
  }
  throw new Error(`There is no mail to ${email}`)
}

test('a new password logs out the other device, which loses nothing that was typed', async ({
  member,
  browser,
  server,
}) => {
  const ann = await member('Ann')
  const phone = await openOtherDevice(browser, server.url, ann)
  await expect(phone.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  await phone.goto('/post')
  await phone.getByLabel('Text of the post').fill('Typed before')
  await ann.page.goto('/account')
  await changePassword(ann.page)
  await expect(
    ann.page.getByRole('alert').filter({ hasText: 'Your password has been changed.' }),
  ).toBeVisible()
  await expect(section(ann.page, 'Password').getByLabel('Current password')).toHaveValue('')
  await expect(section(ann.page, 'Security log').getByText('Password changed')).toBeVisible()

  // The page learns from its WebSocket that its session has ended.
  await expect(phone.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
  await phone.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await phone.getByLabel('Email address').fill(ann.email)
  await phone.getByLabel('Password').fill(NEW_PASSWORD)
  await phone.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(phone).toHaveURL('/post')
  await expect(phone.getByLabel('Text of the post')).toHaveValue('Typed before')
  await phone.context().close()
})

test('another device is listed and logged out, after the password was asked for', async ({
  member,
  browser,
  server,
}) => {
  const ann = await member('Ann')
  const phone = await openOtherDevice(browser, server.url, ann)
  await expect(phone.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  const { page } = ann
  await page.goto('/account')
  const devices = section(page, 'Devices')
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByText('This device')).toHaveCount(1)
  // Answers the first request with a 423, as the server does when the last log-in was ten minutes ago.
  await page.route(
    '**/api/account/sessions/*',
    (route) => route.fulfill({ status: 423, json: { message: 'Please confirm first that it is you.' } }),
    { times: 1 },
  )
  await devices
    .getByRole('button', { name: /^Log out / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill('guessed')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The password is not correct.')).toBeVisible()
  await dialog.getByLabel('Password').fill(MEMBER_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await phone.goto('/account')
  await expect(phone.getByText('Please log in.')).toBeVisible()
  await phone.context().close()
})

test('a new address is confirmed by mail, and the old one takes the account back', async ({
  member,
  page: stranger,
  server,
}) => {
  const ann = await member('Ann')
  const { page } = ann
  const next = `new.${ann.email}`
  // Only a verified address can take the account back.
  const registration = await waitForMailedLink(server.folder, ann.email, '/email/verify/')
  await stranger.goto(registration.href)
  await expect(stranger.getByText('Your email address has been verified.')).toBeVisible()
  await page.goto('/account')
  const email = section(page, 'Email address')
  await email.getByRole('button', { name: 'Change' }).click()
  await email.getByLabel('New email address').fill('ann@')
  await page.keyboard.press('Enter')
  await expect(email.getByText('The email field must be a valid email address.')).toBeVisible()
  await email.getByLabel('New email address').fill(next)
  await page.keyboard.press('Enter')
  await expect(email.getByText(`The change to ${next} waits for its link.`)).toBeVisible()

  const verify = await waitForMailedLink(server.folder, next, '#verify')
  await stranger.goto(`/account/email${verify.hash}`)
  await stranger.getByRole('button', { name: 'Confirm the address' }).click()
  await expect(stranger.getByText('Your email address has been changed.')).toBeVisible()
  await page.reload()
  await expect(email.getByText(next)).toBeVisible()

  const undo = await waitForMailedLink(server.folder, ann.email, '#undo')
  await stranger.goto('about:blank')
  await stranger.goto(`/account/email${undo.hash}`)
  await stranger.getByRole('button', { name: 'Undo the change' }).click()
  await expect(stranger.getByText('The change has been undone')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Please log in.')).toBeVisible()
})

test('the keyboard goes on in the section whose form or button has gone', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/account')
  const email = section(page, 'Email address')
  await email.getByRole('button', { name: 'Change address' }).press('Enter')
  await expect(email.getByLabel('New email address')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(email.getByRole('heading')).toBeFocused()
  const codes = section(page, 'Recovery codes')
  await codes.getByRole('button', { name: 'Create codes' }).press('Enter')
  await expect(codes.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(codes.getByRole('button', { name: 'Copy' })).toBeFocused()
  await codes.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(codes.getByRole('heading')).toBeFocused()
  const deletion = section(page, 'Delete the account')
  await deletion.getByRole('button', { name: 'Delete account…' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(deletion.getByRole('button', { name: 'Delete account…' })).toBeFocused()
})

test('name and handle are saved, and a taken handle is refused', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const handle = `h${Date.now().toString(36)}`
  for (const [{ page }, given] of [
    [ann, handle],
    [ben, handle.toUpperCase()],
  ] as const) {
    await page.goto('/account')
    await section(page, 'Name and handle').getByLabel('Handle').fill(given)
    await section(page, 'Name and handle').getByRole('button', { name: 'Save' }).click()
  }
  await expect(ann.page.getByText('Saved.')).toBeVisible()
  await expect(ben.page.getByText('This handle has already been taken.')).toBeVisible()
})
