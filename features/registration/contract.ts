import * as v from 'valibot'
import {
  CommunitySettingValues,
  createNameSchema,
  createOptionalTextSchema,
  createPasswordSchema,
  defineEndpoint,
  emailSchema,
  timestampSchema,
} from '#core/contract.ts'
import { joinStateEndpoint } from './join-state-contract.ts'

const Registration = v.pipe(
  v.object({
    name: createNameSchema(255),
    email: emailSchema,
    password: createPasswordSchema(8),
    password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
    setup_code: createOptionalTextSchema(255),
    /** The code of an invitation. */
    invitation: createOptionalTextSchema(100),
    /** The answer of the first admin to a question of the set-up page. Sent only with a set-up code. */
    show_samples: v.optional(CommunitySettingValues.entries.show_samples),
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (given) => given.password === given.password_confirmation,
      'confirmed',
    ),
    ['password'],
  ),
)

export const registrationEndpoints = {
  state: joinStateEndpoint,
  register: defineEndpoint(
    'POST /api/register',
    'anyone',
    Registration,
    v.object({
      message: v.string(),
      user: v.object({ id: v.number(), name: v.string(), email: v.string(), created_at: timestampSchema }),
    }),
    { limits: [{ max: 60, by: 'address' }], errorStatuses: [403] },
  ),
}

/** The endpoints of the set-up page. */
export const setupEndpoints = {
  /** Returns whether a set-up code is valid, or the set-up is done already. */
  state: defineEndpoint(
    'GET /api/setup',
    'anyone',
    v.object({ code: createOptionalTextSchema(255) }),
    v.object({ state: v.picklist(['open', 'wrong_code', 'done']) }),
    { limits: [{ max: 60, by: 'address' }] },
  ),
}
