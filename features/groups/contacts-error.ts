import type { Sentence } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'

const message: Sentence = {
  en: 'Somebody who looks after an account has to allow this first. Please ask an admin to add the member.',
  ja: '追加には、保護者などの承認が必要です。管理者に追加を頼んでください。',
}

/** A child would get new contacts in the group. Only an admin may add the person. */
export class ContactsError extends HttpError {
  constructor() {
    super(422, message, { user_id: [message] })
  }
}
