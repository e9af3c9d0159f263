import { callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { passkeyEndpoints } from '../passkey-contract.ts'

/** Imports the WebAuthn library of the browser, only when somebody uses a passkey. */
const importLibrary = () => import('@simplewebauthn/browser')

/**
 * Returns whether this browser can use passkeys at this address. Browsers offer passkeys only on https and
 * localhost.
 */
export const arePasskeysSupported = () => 'PublicKeyCredential' in window

/**
 * The reason why passkeys do not work on this page. `site`: the site cannot use passkeys. `address`: the page
 * has another address than the passkeys. `browser`: the browser cannot use passkeys.
 */
export type PasskeyUnavailableReason = 'site' | 'address' | 'browser'

/**
 * Returns the reason why passkeys do not work on this page; null if they work. `origin` is the address to
 * which the passkeys of the site belong; null if the site cannot use passkeys.
 */
export function findPasskeyUnavailableReason(origin: string | null): PasskeyUnavailableReason | null {
  if (!origin) return 'site'
  if (origin !== location.origin) return 'address'
  return arePasskeysSupported() ? null : 'browser'
}

/**
 * Lets the device create a passkey, and adds the passkey to the member's account on the server. Resolves with
 * the passkey as the list shows it.
 */
export async function createAndRegisterPasskey() {
  const optionsJSON = await callEndpoint(passkeyEndpoints.registrationOptions, {})
  const { startRegistration } = await importLibrary()
  const credential = await startRegistration({ optionsJSON })
  return callEndpoint(passkeyEndpoints.register, { credential })
}

/**
 * The purpose for which a passkey signs: a log-in without a password, the second step of a log-in, or a
 * confirmation of the identity.
 */
export type PasskeyAssertionPurpose = 'log in' | 'second step' | 'confirm'

const endpoints = {
  'log in': { options: passkeyEndpoints.logInOptions, send: passkeyEndpoints.logIn },
  'second step': { options: passkeyEndpoints.challengeOptions, send: passkeyEndpoints.challenge },
  confirm: { options: passkeyEndpoints.confirmOptions, send: passkeyEndpoints.confirm },
} as const

/**
 * Lets the device sign a challenge with a passkey, and sends the signature to the server, which logs the
 * member in or confirms their identity.
 */
export async function logInOrConfirmWithPasskeyInBrowser(purpose: PasskeyAssertionPurpose) {
  const { options, send } = endpoints[purpose]
  await requestCsrfTokenCookie()
  const optionsJSON = await callEndpoint(options, {})
  const { startAuthentication } = await importLibrary()
  const credential = await startAuthentication({ optionsJSON })
  await callEndpoint(send, { credential })
}
