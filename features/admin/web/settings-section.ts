import type { ComponentType } from 'react'
import type { LocalizedSentence } from '#core/contract.ts'
import type { AdminCommunitySettings } from '../contract.ts'

/** A section of the settings page: a heading, and settings that belong together. */
export interface SettingsSection {
  /** The fragment of the URL that leads to the section: `/admin/settings#look`. */
  id: string
  title: LocalizedSentence
  Content: ComponentType<AdminCommunitySettings>
}
