declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /** `by_owner`: the actor is the owner of the group and no admin. */
    'group.access_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
  }
}
