import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { accountSection, logInElsewhere } from './account-helpers.ts'
import { expect, fetchJson, PASSWORD, test } from './fixture.ts'

/**
 * Waits for a mail to an email address whose link contains the text `part`, and returns this link as a URL.
 */
async function waitForMailedLink(folder: string, email: string, part: string) {
  const read = () => readMailedLink(folder, email).catch(() => null)
  await expect.poll(async () => (await read())?.href).toContain(part)
  return (await read())!
}

/** Returns the link in the newest mail to an email address as a URL. Throws if there is no such mail. */
async function readMailedLink(folder: string, email: string) {
  const mails = join(folder, 'mail')
  for (const file of (await readdir(mails)).sort().reverse()) {
    const { to, text } = await PostalMime.parse(await readFile(join(mails, file)))
    if (to?.[0]?.address === email) return new URL(/^https?:\S+$/m.exec(text!)![0])
  }
  throw new Error(`There is no mail to ${email}`)
}

test('another device is listed and logged out, after the password was asked for', async ({
  member,
  browser,
  server,
}) => {
  const ann = await member('Ann')
  const phone = await logInElsewhere(browser, server.url, ann)
  await expect(phone.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  const { page } = ann
  await page.goto('/account')
  const devices = accountSection(page, 'Where you are logged in')
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByText('This device')).toHaveCount(1)
  // Fakes the status 423 for the first request. The server responds so when the last log-in was more than ten
  // minutes ago, to ask for the password.
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
  await dialog.getByLabel('Password').fill(PASSWORD)
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
  // Verifies the old email address first, because only a verified address gets the mail with the link that
  // undoes the change of the address.
  const registration = await waitForMailedLink(server.folder, ann.email, '/email/verify/')
  const verification = registration.href.replace('/email/', '/api/email/')
  expect((await page.request.get(verification)).status()).toBe(200)
  await page.goto('/account')
  const email = accountSection(page, 'Email address')
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

test('name and handle are saved, a taken handle is refused, and the keyboard goes on in the section whose form or button has gone', async ({
  member,
}) => {
  const [{ page }, ben] = [await member('Ann'), await member('Ben')]
  const handle = `h${Date.now().toString(36)}`
  await fetchJson(ben.page, 'POST', '/api/profile', { name: ben.name, handle })
  await page.goto('/account')
  const names = accountSection(page, 'Name and handle')
  const save = async (given: string) => {
    await names.getByLabel('Handle').fill(given)
    await names.getByRole('button', { name: 'Save' }).click()
  }
  await save(handle.toUpperCase())
  await expect(names.getByText('This handle has already been taken.')).toBeVisible()
  await save(`${handle}x`)
  await expect(page.getByText('Saved.')).toBeVisible()

  const email = accountSection(page, 'Email address')
  await email.getByRole('button', { name: 'Change address' }).press('Enter')
  await expect(email.getByLabel('New email address')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(email.getByRole('heading')).toBeFocused()
  const codes = accountSection(page, 'Recovery codes')
  await codes.getByRole('button', { name: 'Create codes' }).press('Enter')
  await expect(codes.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(codes.getByRole('button', { name: 'Copy' })).toBeFocused()
  await codes.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(codes.getByRole('heading')).toBeFocused()
  const deletion = accountSection(page, 'Delete the account')
  await deletion.getByRole('button', { name: 'Delete account…' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(deletion.getByRole('button', { name: 'Delete account…' })).toBeFocused()
})
