import type { Page } from '@playwright/test'
import { inShiftJis } from '#features/admin/test/shift-jis.ts'
import { startServer } from '#tests/server.ts'
import { expect, expectAccessible, PASSWORD, test } from './fixture.ts'

const familyNames = ['山田', '鈴木', '髙橋', '田中', '伊藤', '渡辺', '山本', '中村']
const givenNames = ['太郎', '花子', 'さくら', 'ソラ', '健一']
const pupils = familyNames.flatMap((family) => givenNames.map((given) => family + given))
/**
 * A CSV file with the list of a school class, as a Japanese spreadsheet program saves it. The teacher has
 * chosen a handle for the first pupil only.
 */
const classFile = {
  name: '5年B組.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    inShiftJis(
      ['氏名,組,ID', ...pupils.map((name, index) => `${name},5年B組,${index ? '' : 'taro'}`), ''].join(
        '\r\n',
      ),
    ),
  ),
}

async function registerTeacher(page: Page, url: string) {
  await page.goto(`${url}/register`)
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  // The first admin of a local server is led to the settings.
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('Sample pages')).toBeChecked()
}

test('the first admin of a local server is led to the settings; a class of 40 from a Shift_JIS file is on paper and in', async ({
  page,
  browser,
}) => {
  test.slow()
  const { url, stop } = await startServer()
  await registerTeacher(page, url)
  await page.goto(`${url}/admin/new-members`)
  await page.getByRole('link', { name: 'From a list' }).click()
  await page.getByLabel('File of a spreadsheet (CSV)').setInputFiles(classFile)
  await expect(page.getByLabel('Title (optional)')).toHaveValue('5年B組')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('heading', { name: 'Preview' })).toBeFocused()
  await expect(page.getByText('New group “5年B組” with 40 of them')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '髙橋ソラ' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create 40' }).click()
  await expect(page.getByRole('heading', { name: 'The cards are ready' })).toBeFocused()
  await expect(page.locator('.created-cards .invitation-list > li')).toHaveCount(40)
  await expect(page.locator('.member-card .qr-code')).toHaveCount(40)
  const code = await page.locator('.created-cards li', { hasText: '山田太郎' }).locator('code').textContent()
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format, preferCSSPageSize: false })
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(4)
  }

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'ja-JP' })
  const pupil = await phone.newPage()
  await pupil.goto(`${url}/welcome#${code}`)
  await expect(pupil.getByRole('heading', { name: '山田太郎さん、こんにちは' })).toBeVisible()
  await expect(pupil.getByText('@taro')).toBeVisible()
  await pupil.getByLabel('新しいパスワード').fill('うみとやまとそら')
  await pupil.getByRole('button', { name: 'はじめる' }).click()
  await expect(pupil).toHaveURL(/\/group-chat\/\d+$/)
  await expect(pupil.getByRole('heading', { name: '5年B組' })).toBeVisible()
  // Opens the page of the used card again, and expects that the page says what to do instead.
  await pupil.goto(`${url}/welcome#${code}`)
  await expect(pupil.getByText(/このカードは使用済みです/)).toBeVisible()
  await pupil.goto(`${url}/logout`)
  await expect(pupil.getByText('ログアウトしました。')).toBeVisible()
  await pupil.goto(`${url}/login`)
  await pupil.getByLabel('メールアドレスまたはID').fill('taro')
  await pupil.getByLabel('パスワード').fill('うみとやまとそら')
  await pupil.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(pupil.getByText('ログインしました。')).toBeVisible()

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Or type or paste the list')).toBeFocused()
  await page.reload()
  await expect(page.getByText('1 of 40 have come in')).toBeVisible()
  await page.getByRole('button', { name: 'Members of “5年B組”' }).click()
  await expect(page.getByRole('button', { name: 'New card for 鈴木花子' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New card for 山田太郎' })).toHaveCount(0)
  await page.getByRole('button', { name: 'New card for 鈴木花子' }).click()
  await expect(page.getByRole('img', { name: 'QR code for 鈴木花子' })).toBeVisible()
  await page.goto('about:blank')
  await phone.close()
  await stop()
})

test('a list with errors is changed and checked again; a card opens the account with a passkey, without a password', async ({
  admin,
  browser,
  server,
}) => {
  const { page } = await admin('Ann')
  const list = page.getByLabel('Or type or paste the list')
  const check = page.getByRole('button', { name: 'Check' })
  await page.goto('/admin/new-members/list')
  await check.click()
  await expect(page.getByText('The list is empty.')).toBeVisible()
  await list.fill('Xia,,a b\nYan')
  await check.click()
  await expect(page.getByText('1 row with errors.')).toBeVisible()
  await expect(page.getByText('Error, Handle: A handle consists of')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Create/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Change the list' }).click()
  await expect(list).toHaveValue('Xia,,a b\nYan')
  await list.fill('Xia')
  await check.click()
  await page.getByRole('button', { name: 'Create 1' }).click()
  await expect(page.getByRole('heading', { name: 'The cards are ready' })).toBeFocused()
  await expect(page.getByRole('img', { name: 'QR code for Xia' })).toBeVisible()
  const code = await page.locator('.created-cards code').textContent()

  const context = await browser.newContext({ baseURL: server.url })
  const phone = await context.newPage()
  const cdp = await context.newCDPSession(phone)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await phone.goto('/welcome')
  await phone.getByLabel('Code of the card').fill(code!.toUpperCase())
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('heading', { name: 'Hello, Xia!' })).toBeVisible()
  // The page that new people open first knows the code too.
  await phone.goto('/register')
  await phone.getByRole('button', { name: 'I have an invitation code' }).click()
  await phone.getByLabel('Code of the invitation').fill(code!.toUpperCase())
  await phone.keyboard.press('Enter')
  await expect(phone).toHaveURL(/\/welcome#/)
  await expect(phone.getByRole('heading', { name: 'Hello, Xia!' })).toBeVisible()
  await phone.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(phone).toHaveURL('/')
  await phone.goto('/account')
  await expect(phone.getByText('Your account has no email address.')).toBeVisible()
  await phone.goto('/logout')
  await expect(phone.getByText('Log out successful.')).toBeVisible()
  await phone.goto('/login')
  await phone.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(phone).toHaveURL('/')
  await context.close()
})
