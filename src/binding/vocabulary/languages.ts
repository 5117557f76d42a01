// Words of other languages that interfaces are written in. Data alone: a word that English interfaces use with another meaning is
// left out, and one that may mean two things is the English word that may, so that a person is asked.

/** English words, each followed by those of German, French and Spanish that mean it. */
const words = `
project: projekt projekte projet projets proyecto proyectos
server: serveur serveurs servidor servidores
machine: maschine maschinen rechner maquina maquinas
instance: instanz instanzen instancia instancias
network: netz netze netzwerk netzwerke reseau reseaux red redes
public: oeffentlich oeffentliche oeffentlicher publique publiques publica publicas publico publicos
private: privat privates privater prive privee privado privada
address: adresse adressen adresses direccion direcciones
port forward: portweiterleitung portweiterleitungen portfreigabe portfreigaben reenvio reenvios
forwarding: weiterleitung weiterleitungen
size: groesse groessen gabarit gabarits taille tamano tamanos
image: abbild abbilder imagen imagenes
model: modele modeles modelo modelos
template: vorlage vorlagen plantilla plantillas
operating system: betriebssystem betriebssysteme
system: systeme sistema
operating: operativo
tariff: tarif tarife tarifs tarifa tarifas
plan: planes
price: preis preise prix precio precios
currency: waehrung devise moneda
period: zeitraum abrechnungszeitraum periode periodo
contract: vertrag vertraege contrat contrats contrato contratos
subscription: abonnement abonnements suscripcion suscripciones
order: bestellung bestellungen commande commandes pedido pedidos
invoice: rechnung rechnungen facture factures factura facturas
operation: vorgang vorgaenge operacion operaciones
job: trabajo trabajos
task: aufgabe aufgaben tache taches tarea tareas
backup: sicherung sicherungen datensicherung datensicherungen sauvegarde sauvegardes respaldo respaldos
copy: kopie kopien copie copia copias
key: schluessel cle cles clave claves llave llaves
ssh key: sshschluessel
access key: zugangsschluessel zugriffsschluessel
access token: zugangstoken zugangstokens zugriffstoken zugriffstokens
token: jeton jetons ficha fichas
notification: benachrichtigung benachrichtigungen mitteilung mitteilungen notificacion notificaciones
account: konto konten benutzerkonto compte comptes cuenta cuentas
limit: grenze grenzen grenzwert grenzwerte limite limites
quota: kontingent kontingente cuota cuotas
preference: preferencia preferencias
setting: einstellung einstellungen
metric: messwert messwerte kennzahl kennzahlen metrique metriques metrica metricas
renewal: verlaengerung renouvellement renovacion
attachment: anbindung anbindungen rattachement rattachements
language: sprache langue idioma
email: courriel correo
name: nom nombre
label: bezeichnung libelle etiqueta
state: zustand etat estado
status: statut
power state: betriebszustand alimentation energia
cpu: prozessor prozessoren processeur processeurs procesador procesadores
core: kern kerne coeur coeurs nucleo nucleos
memory: arbeitsspeicher hauptspeicher memoire memoria
disk: festplatte disque disco
created: erstellt cree creee creado creada
creation: erstellung creacion
at: am le
date: datum fecha
ended: beendet
end: ende fin
finished: terminado terminada
completed: abgeschlossen termine terminee completado completada
started: gestartet
last: zuletzt letzte derniere dernier ultima ultimo
used: verwendet utilise usado
use: verwendung nutzung utilisation uso
remaining: verbleibend restant restante
paid: bezahlt
until: bis
expires: ablauf
fingerprint: fingerabdruck empreinte huella
protocol: protokoll protocole protocolo
external: extern externer externe externo externa
internal: intern interner interne interno interna
source: quelle quell origen
target: ziel cible destino
resource: ressource ressourcen ressources recurso recursos
type: typ
action: accion
code: codigo
error: fehler erreur
error code: fehlercode
value: wert valeur valor
title: titel titre titulo
message: nachricht nachrichten mensaje mensajes
scope: rechte berechtigung berechtigungen portee portees permiso permisos
read: gelesen leido
unread: ungelesen
all: alle alles tous toutes todas
count: anzahl cantidad
availability: verfuegbarkeit disponibilite disponibilidad
available: verfuegbar disponible
maximum count: hoechstzahl
item: eintrag eintraege elemento elementos
page: seite pagina
page size: seitengroesse
total: gesamt gesamtzahl
list: auflisten lister listar
create: erstellen anlegen creer crear
delete: loeschen entfernen supprimer eliminar borrar
start: starten hochfahren einschalten demarrer iniciar encender
stop: arret stoppen anhalten herunterfahren ausschalten arreter detener apagar
reboot: neustarten neustart redemarrer reiniciar
rebuild: neuaufsetzen reconstruire reconstruir
reinstall: neuinstallieren reinstaller reinstalar
resize: skalieren redimensionner redimensionar
rename: umbenennen renommer renombrar
change: aendern modifier cambiar
restore: wiederherstellen restaurer restaurar
attach: anhaengen anbinden verbinden attacher rattacher conectar
detach: abhaengen trennen detacher desconectar
cancel: kuendigen annuler cancelar
resume: fortsetzen reprendre reanudar
being: wird
updated: geaendert aktualisiert
deleted: geloescht
creating: creando
active: aktiv actif activo activa
updating: actualizando modificando
modification: modificacion
deleting: borrando eliminando
faulty: fehlerhaft
failed: fehlgeschlagen echouee echoue echec fallido fallida
running: laeuft laufend
powered on: eingeschaltet allume encendido
powered off: ausgeschaltet eteint apagado
stopped: gestoppt arrete detenido
starting: startet demarrage encendiendo iniciando
stopping: stoppt apagando deteniendo
rebooting: redemarrage reiniciando
waiting: wartend attente
pending: pendiente
progress: cours curso
successful: erfolgreich reussi reussie exitoso
ready: bereit pret listo
`;

const english = new Map(
  words
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [meaning = '', others = ''] = line.split(': ');
      return others.split(' ').map((word) => [word, meaning.split(' ')] as const);
    }),
);

/** English for a word of another language; undefined for any other word. */
export function toEnglishWords(word: string): readonly string[] | undefined {
  return english.get(word);
}
