import { createECDH, randomBytes } from 'node:crypto'

/** Its push service has no public address. */
export const createPushSubscription = (number: number) => ({
  endpoint: `https://push.localhost/${number}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
})
