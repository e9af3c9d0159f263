declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /**
     * The member `mentioned_id` may see the text and its author. Emitted when the text is new, when an edit
     * added the mention, and when a moderator showed the hidden post again; not for a member who gets another
     * notification about the text. `source_id` is the post, reply or message.
     */
    // biome-ignore format: the generated table of events reads one line
    'mention.created': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
    /** An edit removed the mention, the text was deleted, or a moderator hid the post. */
    // biome-ignore format: the generated table of events reads one line
    'mention.deleted': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
  }
}
