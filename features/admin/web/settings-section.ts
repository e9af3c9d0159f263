import type { ComponentType } from 'react'
import type { BilingualSentence } from '#core/contract.ts'
import type { AdminCommunitySettings } from '../contract.ts'

/** A section of the settings page: a heading, and settings that belong together. */
export interface CommunitySettingsSection {
  /** The fragment of the URL that leads to the section: `/admin/settings#look`. */
  id: string
  title: BilingualSentence
  Content: ComponentType<AdminCommunitySettings>
}
