import type { ComponentType } from 'react'
import type { BilingualSentence } from '#core/contract.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'

/** A section of the admin settings page: a heading, and settings that belong together. */
export interface CommunitySettingsSection {
  /**
   * The id of the section, which is also the fragment of the URL that leads to it: `look` in
   * `/admin/settings#look`.
   */
  id: string
  title: BilingualSentence
  Content: ComponentType<AdminCommunitySettingsResponse>
}
