import type { Page } from '@playwright/test'
import { accountSection, CHANGED_PASSWORD, submitLogIn } from './account-helpers.ts'
import { annAndBen, messageBox, messageLog, openChat } from './chat-helpers.ts'
import { expect, fetchJson, PASSWORD, type PageMember, test } from './fixture.ts'
import type { Seat } from './seats.ts'

// Tests in which a member changes the password in one window. This ends the session of another window, in
// which the same member is writing.

/** Logs the member in with another browser context, as on another device, and returns its page. */
async function logInOnPhone(seat: () => Promise<Seat>, { email }: PageMember) {
  const { page } = await seat()
  await page.request.get('/sanctum/csrf-cookie')
  const password = PASSWORD
  await fetchJson(page, 'POST', '/login', { email, password })
  return page
}

const changePassword = ({ page }: PageMember, current_password: string, password: string) =>
  fetchJson(page, 'PUT', '/api/account/password', {
    current_password,
    password,
    password_confirmation: password,
  })

const getLogInPrompt = (page: Page) => page.getByRole('alert').filter({ hasText: 'Please log in.' })

/**
 * Logs in by the prompt that the window shows, and expects that the window then shows the same page again.
 */
async function logInAgain(page: Page, { email }: PageMember, password = CHANGED_PASSWORD) {
  const { pathname } = new URL(page.url())
  await getLogInPrompt(page).getByText('Log in', { exact: true }).first().click()
  await submitLogIn(page, email, password)
  await expect(page).toHaveURL(pathname)
}

/**
 * Returns a function `cut`. After a test has called `cut`, the page receives nothing more over its WebSocket,
 * so that only the response to a request can tell the page that its session has ended.
 */
async function controlWebSocket(page: Page) {
  let isCut = false
  await page.routeWebSocket(/\/app\//, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => isCut || socket.send(message))
    server.onClose((code, reason) => void (isCut || socket.close({ code: code!, reason: reason! })))
  })
  return { cut: () => void (isCut = true) }
}

test('a post that is being written while another window changes the password is kept, and sent once', async ({
  member,
  seat,
}) => {
  const ann = await member('Ann')
  const phone = await logInOnPhone(seat, ann)
  await phone.goto('/post')
  const text = phone.getByLabel('Text of the post')
  await text.pressSequentially('Typed before')
  await ann.page.goto('/account')
  const form = accountSection(ann.page, 'Password')
  await form.getByLabel('Current password').fill(PASSWORD)
  await form.getByLabel('New password', { exact: true }).fill(CHANGED_PASSWORD)
  await form.getByLabel('New password again').fill(CHANGED_PASSWORD)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(
    ann.page.getByRole('alert').filter({ hasText: 'Your password has been changed.' }),
  ).toBeVisible()
  await expect(form.getByLabel('Current password')).toHaveValue('')
  await expect(accountSection(ann.page, 'Security log').getByText('Password changed')).toBeVisible()

  // Expects that the page learns from its WebSocket that its session has ended, and that the member can go on
  // writing.
  await expect(getLogInPrompt(phone)).toBeVisible()
  await expect(text).toBeFocused()
  await phone.keyboard.type(', and after.')
  await phone.keyboard.press('Control+Enter')
  await expect(text).toHaveValue('Typed before, and after.')
  await logInAgain(phone, ann)
  await expect(text).toHaveValue('Typed before, and after.')
  await text.press('Control+Enter')
  await expect(phone).toHaveURL('/')
  await expect(phone.getByText('Typed before, and after.')).toHaveCount(1)
})

test('messages that are written, or sent before the window knows of a new password, wait for the log-in', async ({
  member,
  seat,
}) => {
  const { ann, ben } = await annAndBen(member)
  const phone = await logInOnPhone(seat, ann)
  const socket = await controlWebSocket(phone)
  await openChat({ ...ann, page: phone }, ben)
  await openChat(ben, ann)
  await messageBox(phone).pressSequentially('Typed before')
  await changePassword(ann, PASSWORD, CHANGED_PASSWORD)

  // Expects that the chat disappears when its session ends, because another person may hold the device then.
  // The unsent text comes back after the log-in.
  await expect(getLogInPrompt(phone)).toBeVisible()
  await expect(messageBox(phone)).toHaveCount(0)
  await logInAgain(phone, ann)
  await expect(messageBox(phone)).toHaveValue('Typed before')
  await messageBox(phone).press('Enter')
  await expect(messageLog(ben.page).getByText('Typed before')).toHaveCount(1)
  await expect(messageBox(phone)).toHaveValue('')

  socket.cut()
  await changePassword(ann, CHANGED_PASSWORD, 'eight paper lanterns')
  await messageBox(phone).fill('Sent without a session')
  await messageBox(phone).press('Enter')
  await logInAgain(phone, ann, 'eight paper lanterns')
  await messageLog(phone).getByRole('button', { name: 'Retry' }).click()
  await expect(messageLog(ben.page).getByText('Sent without a session')).toHaveCount(1)
  await expect(messageLog(phone).getByRole('button', { name: 'Retry' })).toHaveCount(0)
})
