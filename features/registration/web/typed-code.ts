import { hasPage } from '#web/views.tsx'
import { CARD_GROUPS, INVITATION_GROUPS } from '../contract.ts'

const GROUP_LENGTH = 4

/** Without what the server ignores, such as spaces and hyphens. */
export const bareCode = (code: string) => code.replace(/[^\p{L}\p{N}]/gu, '')

const hasGroups = (code: string, groups: number) => bareCode(code).length === groups * GROUP_LENGTH

/** The page for the code of a log-in card; null for another code. */
export const cardPage = (code: string) =>
  hasGroups(code, CARD_GROUPS) && hasPage('/welcome') ? `/welcome#${bareCode(code)}` : null

/** The page for the code of an invitation; null for another code. */
export const invitationPage = (code: string) =>
  hasGroups(code, INVITATION_GROUPS) ? `/register#${bareCode(code)}` : null
