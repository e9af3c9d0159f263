interface MessageEvent {
  id: number
  conversation_id: number
  /** The author. */
  user_id: number
  is_group: boolean
}
interface GroupEvent {
  conversation_id: number
  actor_id: number
}
interface GroupMemberEvent extends GroupEvent {
  user_id: number
}

declare module '#core/events.ts' {
  interface DomainEvents {
    'message.created': MessageEvent
    'message.edited': MessageEvent
    'message.deleted': MessageEvent
    /** The actor is the group's first member. */
    'group.created': GroupEvent
    'group.renamed': GroupEvent
    /** Emitted after the deletion, which also ends all memberships. */
    'group.deleted': GroupEvent
    'group.member_added': GroupMemberEvent
    /** A member who leaves is also the actor. */
    'group.member_removed': GroupMemberEvent
  }
}
