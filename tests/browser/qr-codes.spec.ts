import type { Locator, Page } from '@playwright/test'
import decodeQrCode from 'qr/decode.js'
import sharp from 'sharp'
import { accountSection } from './account-helpers.ts'
import { expect, test } from './fixture.ts'

/** Returns the text of a QR code on the screen. Reads it from a screenshot, as the camera of a phone does. */
async function readQrCode(picture: Locator) {
  const { data, info } = await sharp(await picture.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQrCode({ width: info.width, height: info.height, data }, { timeLimit: 5000 })
}

/** Calls `check` in the light theme, and then in the dark theme. */
async function inBothThemes(page: Page, check: () => Promise<unknown>) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
}

test('a phone reads the secret of the second step from the QR code, and logs in with the one for another device', async ({
  member,
  page: phone,
}) => {
  const { page, email } = await member('Ann')
  await page.goto('/account')
  const section = accountSection(page, 'Second step')
  await section.getByRole('button', { name: 'Set up' }).click()
  const secret = (await section.locator('code').textContent())!.replaceAll(' ', '')
  await inBothThemes(page, async () => {
    const address = new URL(await readQrCode(section.locator('.qr-code')))
    expect(address.protocol).toBe('otpauth:')
    expect(address.searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(address.pathname)).toContain(email)
  })

  const devices = accountSection(page, 'Where you are logged in')
  await devices.getByRole('button', { name: 'Add a device' }).click()
  const link = await readQrCode(devices.locator('.qr-code'))
  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Are you Ann?' })).toBeVisible()
  await phone.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await phone.waitForURL('/')
  await expect(phone.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  await expect(devices.getByText('The other device is logged in.')).toBeVisible()
  await expect(devices.getByText('Last used')).toHaveCount(2)
  await phone.goto(link)
  await expect(phone.getByText('This code is not valid any more.')).toBeVisible()
})

test('a phone reads the link of an invitation from the QR code, also from the printed sheet', async ({
  admin,
}) => {
  const { page } = await admin('Ann')
  await page.goto('/admin/new-members')
  await page.getByRole('button', { name: 'Create' }).click()
  const code = await page.locator('.created-invitation code').textContent()
  const link = new URL(`/register#${code}`, page.url()).href
  await inBothThemes(page, async () => {
    expect(await readQrCode(page.locator('.created-invitation .qr-code'))).toBe(link)
  })
  await page.getByLabel('Cards on a sheet').selectOption('6')
  await page.emulateMedia({ media: 'print' })
  for (const card of await page.locator('.invitation-card .qr-code').all())
    expect(await readQrCode(card)).toBe(link)
})
