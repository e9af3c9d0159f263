export const audiences = ['everyone', 'members', 'followers'] as const

/** An audience, or one group, such as `group 7`. */
export type AudienceChoice = (typeof audiences)[number] | `group ${number}`

export const groupIdOf = (choice: AudienceChoice) =>
  choice.startsWith('group ') ? Number(choice.slice('group '.length)) : null
