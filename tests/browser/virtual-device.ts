import type { CDPSession, Page } from '@playwright/test'

// Functions with which tests use Chromium's virtual authenticator in place of a device with a fingerprint
// reader or a PIN (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/).

interface VirtualPasskeyDevice {
  cdp: CDPSession
  authenticatorId: string
}

/** Adds a virtual authenticator to a browser page. It stores passkeys, and always verifies its user. */
export async function addDevice(page: Page): Promise<VirtualPasskeyDevice> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

/** Sets whether a virtual authenticator verifies its user, as a real device does by a fingerprint. */
export const setVerified = ({ cdp, authenticatorId }: VirtualPasskeyDevice, isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
