import { callEndpoint, requestCsrf } from '#web/api.ts'
import { passkeyEndpoints } from '../contract.ts'

/** Only when somebody uses a passkey. */
const importLibrary = () => import('@simplewebauthn/browser')

/** Only on https and localhost. */
export const supportsPasskeys = () => 'PublicKeyCredential' in window

/** `site` and `browser` cannot use passkeys; `address`: the page has another one than they. */
export type PasskeyProblem = 'site' | 'address' | 'browser'

/** Null if they work. `origin` is the address of the passkeys; null if the site cannot use them. */
export function findPasskeyProblem(origin: string | null): PasskeyProblem | null {
  if (!origin) return 'site'
  if (origin !== location.origin) return 'address'
  return supportsPasskeys() ? null : 'browser'
}

/** Creates it on the device, and adds it to the account. */
export async function addPasskey() {
  const optionsJSON = await callEndpoint(passkeyEndpoints.registrationOptions, {})
  const { startRegistration } = await importLibrary()
  const credential = await startRegistration({ optionsJSON })
  return callEndpoint(passkeyEndpoints.register, { credential })
}

export type PasskeyPurpose = 'log in' | 'second step' | 'confirm'

const endpoints = {
  'log in': { options: passkeyEndpoints.logInOptions, send: passkeyEndpoints.logIn },
  'second step': { options: passkeyEndpoints.challengeOptions, send: passkeyEndpoints.challenge },
  confirm: { options: passkeyEndpoints.confirmOptions, send: passkeyEndpoints.confirm },
} as const

/** Lets the device sign a challenge; the server then logs the member in or confirms their identity. */
export async function signWithPasskey(purpose: PasskeyPurpose) {
  const { options, send } = endpoints[purpose]
  await requestCsrf()
  const optionsJSON = await callEndpoint(options, {})
  const { startAuthentication } = await importLibrary()
  const credential = await startAuthentication({ optionsJSON })
  await callEndpoint(send, { credential })
}
